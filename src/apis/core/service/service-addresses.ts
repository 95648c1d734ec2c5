import type { StrategyContext } from '../../../apiserver/registry/strategy.js';
import { listAt } from '../../../go/value.js';
import type { Effects } from '../../../kubernetes/effects.js';
import type { Storage } from '../../../kubernetes/storage.js';

/** Returns a free address of the service range 10.0.0.0/16. */
export function randomServiceIp({ random }: Effects): string {
  const offset = 257 + Math.floor(random() * (65534 - 257));
  return `10.0.${offset >> 8}.${offset & 255}`;
}

/** Reports whether the address is allocated to a service. */
export function isServiceIpTaken(address: string, storage: Storage): boolean {
  return storage.list({ group: '', kind: 'Service' }).some(service => listAt(service, 'spec', 'clusterIPs').includes(address));
}

/** Returns the reason why a requested address is not available; undefined if it is. A dry run does not look for services that have it. */
export function serviceIpProblem(address: string, { storage, dryRun }: Pick<StrategyContext, 'storage' | 'dryRun'>): string | undefined {
  if (!dryRun && isServiceIpTaken(address, storage)) return 'provided IP is already allocated';
  if (/^10\.0\.\d{1,3}\.\d{1,3}$/.test(address)) return undefined;
  return 'the provided network does not match the current range';
}
