import type { StrategyContext } from '../../../apiserver/registry/strategy.js';
import { parseAddress, parsePrefix } from '../../../go/netip/address.js';
import { NetipError } from '../../../go/netip/error.js';
import { listAt, stringAt, type ValueMap } from '../../../go/value.js';
import { memoizeStrings } from '../../../kubernetes/memoize.js';
import type { Storage } from '../../../kubernetes/storage.js';

/** A range of IPv4 addresses of services. */
interface AddressRange {
  readonly cidr: string;
  /** The first address as a number. */
  readonly base: number;
  /** Number of addresses for services, from the second to the last but one. */
  readonly size: number;
}

const defaultRange = '10.0.0.0/16';

/** Returns the ranges of ServiceCIDRs that are ready; a default one without any. Source: ipallocator/cidrallocator.go MetaAllocator. */
function rangesIn(storage: Storage): readonly AddressRange[] {
  const all = storage.list({ group: 'networking.k8s.io', kind: 'ServiceCIDR' });
  if (all.length === 0) return storage.isLive ? [] : [rangeOf(defaultRange)];
  // Upstream's order is random.
  const isDefault = (cidr: ValueMap): boolean => stringAt(cidr, 'metadata', 'name') === 'kubernetes';
  const ready = all.filter(isReady);
  return ipv4RangesOf([...ready.filter(isDefault), ...ready.filter(cidr => !isDefault(cidr))]);
}

function ipv4RangesOf(cidrs: readonly ValueMap[]): readonly AddressRange[] {
  const texts = cidrs.flatMap(cidr => listAt(cidr, 'spec', 'cidrs').map(String)).filter(text => !text.includes(':'));
  return [...new Set(texts)].map(rangeOf);
}

/** One without the condition is ready: the controller that sets it need not run. */
function isReady(cidr: ValueMap): boolean {
  const ready = listAt(cidr, 'status', 'conditions').find(condition => stringAt(condition, 'type') === 'Ready');
  return stringAt(cidr, 'metadata', 'deletionTimestamp') === '' && (ready === undefined || stringAt(ready, 'status') === 'True');
}

const rangeOf = memoizeStrings(16, (cidr): AddressRange => {
  const { address, bits } = parsePrefix(cidr);
  return { cidr, base: numberOf(address.bytes), size: 2 ** (32 - bits) - 2 };
});

/** Returns the first address of a service range, which a dry run shows. */
export function firstServiceIp(storage: Storage): string {
  return addressText((rangesIn(storage)[0] ?? rangeOf(defaultRange)).base);
}

/**
 * Returns a random free address of a service range, from its lower part only if the other one is full; undefined if there is none. Source:
 * kubernetes pkg/registry/core/service/ipallocator/ipallocator.go AllocateNext.
 */
export function freeServiceIp({ storage, effects }: Pick<StrategyContext, 'storage' | 'effects'>): string | undefined {
  const isTaken = takenIn(storage);
  for (const { base, size } of rangesIn(storage)) {
    const offset = Math.min(Math.max(16, Math.floor((size + 2) / 16)), 256);
    const start = offset >= size ? 0 : offset;
    const found =
      freeFrom({ from: base + 1 + start, count: size - start }, isTaken, effects.random) ??
      freeFrom({ from: base + 1, count: start }, isTaken, effects.random);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Part {
  readonly from: number;
  readonly count: number;
}

function freeFrom({ from, count }: Part, isTaken: (address: string) => boolean, random: () => number): string | undefined {
  const first = Math.floor(random() * count);
  for (let i = 0; i < count; i += 1) {
    const address = addressText(from + ((first + i) % count));
    if (!isTaken(address)) return address;
  }
  return undefined;
}

/** Returns whether an address is allocated: it has an IPAddress. The services of a state that was written by hand have none. */
function takenIn(storage: Storage): (address: string) => boolean {
  const hasObject = (address: string): boolean =>
    storage.find({ group: 'networking.k8s.io', kind: 'IPAddress' }, '', address) !== undefined;
  if (storage.isLive) return hasObject;
  const services = storage.list({ group: '', kind: 'Service' });
  const used = new Set(services.flatMap(service => listAt(service, 'spec', 'clusterIPs').map(text => canonicalAddress(String(text)))));
  return address => used.has(address) || hasObject(address);
}

/** Returns the reason why a requested address is not available; undefined if it is. A dry run does not look for services that have it, and asks one range. */
export function serviceIpProblem(text: string, { storage, dryRun }: Pick<StrategyContext, 'storage' | 'dryRun'>): string | undefined {
  const address = canonicalAddress(text);
  const ranges = rangesIn(storage);
  if (dryRun) {
    const [range = rangeOf(defaultRange)] = ranges;
    const reason = `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range.cidr}`;
    return isWithin(range, address) ? undefined : reason;
  }
  if (!ranges.some(range => isWithin(range, address))) return 'the provided network does not match the current range';
  return takenIn(storage)(address) ? 'provided IP is already allocated' : undefined;
}

/** Returns an IPv4 address without the leading zeros that are allowed while the gate StrictIPCIDRValidation is disabled. */
export function canonicalAddress(text: string): string {
  return /^\d+(?:\.\d+){3}$/.test(text) ? text.split('.').map(Number).join('.') : text;
}

/** Reports whether an address belongs to a ServiceCIDR, ready or not: the addresses of others are not released. */
export function hasServiceRange(address: string, cidrs: readonly ValueMap[]): boolean {
  return ipv4RangesOf(cidrs).some(range => isWithin(range, address));
}

function isWithin({ base, size }: AddressRange, address: string): boolean {
  const number = addressNumber(address);
  return number !== undefined && number > base && number <= base + size;
}

function addressNumber(text: string): number | undefined {
  try {
    const { bytes } = parseAddress(text);
    return bytes.length === 4 ? numberOf(bytes) : undefined;
  } catch (error) {
    if (error instanceof NetipError) return undefined;
    throw error;
  }
}

function numberOf(bytes: readonly number[]): number {
  return bytes.reduce((number, byte) => number * 256 + byte, 0);
}

function addressText(address: number): string {
  return [24, 16, 8, 0].map(shift => Math.floor(address / 2 ** shift) % 256).join('.');
}
