import type { StrategyContext } from '../../../apiserver/registry/strategy.js';
import { parseAddress, parsePrefix } from '../../../go/netip/address.js';
import { NetipError } from '../../../go/netip/error.js';
import { listAt } from '../../../go/value.js';
import { memoizeStrings } from '../../../kubernetes/memoize.js';
import type { Storage } from '../../../kubernetes/storage.js';

/** A range of IPv4 addresses of services. */
interface AddressRange {
  /** The first address as a number. */
  readonly base: number;
  /** Number of addresses for services, from the second to the last but one. */
  readonly size: number;
}

const defaultRange = '10.0.0.0/16';

/** Returns the range of the ServiceCIDR that the API server creates; a default one without any. */
function rangeIn(storage: Storage): AddressRange {
  const created = storage.find({ group: 'networking.k8s.io', kind: 'ServiceCIDR' }, '', 'kubernetes');
  const [cidr] = listAt(created, 'spec', 'cidrs');
  return rangeOf(typeof cidr === 'string' ? cidr : defaultRange);
}

const rangeOf = memoizeStrings(16, (cidr): AddressRange => {
  const { address, bits } = parsePrefix(cidr);
  return { base: numberOf(address.bytes), size: 2 ** (32 - bits) - 2 };
});

/** Returns the first address of the service range, which a dry run shows. */
export function firstServiceIp(storage: Storage): string {
  return addressText(rangeIn(storage).base);
}

/**
 * Returns a random free address of the service range, from its lower part only if the other one is full; undefined if there is none. Source:
 * kubernetes pkg/registry/core/service/ipallocator/ipallocator.go AllocateNext.
 */
export function freeServiceIp({ storage, effects }: Pick<StrategyContext, 'storage' | 'effects'>): string | undefined {
  const { base, size } = rangeIn(storage);
  const taken = new Set(storage.list({ group: '', kind: 'Service' }).flatMap(service => listAt(service, 'spec', 'clusterIPs')));
  const offset = Math.min(Math.max(16, Math.floor((size + 2) / 16)), 256);
  const start = offset >= size ? 0 : offset;
  return (
    freeFrom({ from: base + 1 + start, count: size - start }, taken, effects.random) ??
    freeFrom({ from: base + 1, count: start }, taken, effects.random)
  );
}

interface Part {
  readonly from: number;
  readonly count: number;
}

function freeFrom({ from, count }: Part, taken: ReadonlySet<unknown>, random: () => number): string | undefined {
  const first = Math.floor(random() * count);
  for (let i = 0; i < count; i += 1) {
    const address = addressText(from + ((first + i) % count));
    if (!taken.has(address)) return address;
  }
  return undefined;
}

/** Reports whether the address is allocated to a service. */
function isServiceIpTaken(address: string, storage: Storage): boolean {
  return storage.list({ group: '', kind: 'Service' }).some(service => listAt(service, 'spec', 'clusterIPs').includes(address));
}

/** Returns the reason why a requested address is not available; undefined if it is. A dry run does not look for services that have it. */
export function serviceIpProblem(address: string, { storage, dryRun }: Pick<StrategyContext, 'storage' | 'dryRun'>): string | undefined {
  if (!dryRun && isServiceIpTaken(address, storage)) return 'provided IP is already allocated';
  const { base, size } = rangeIn(storage);
  const number = addressNumber(address);
  if (number !== undefined && number > base && number <= base + size) return undefined;
  return 'the provided network does not match the current range';
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
