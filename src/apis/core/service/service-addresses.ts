import type { Effects } from '../../../kubernetes/effects.js';

/** Returns a free address of the service range 10.0.0.0/16. */
export function randomServiceIp({ random }: Effects): string {
  const offset = 257 + Math.floor(random() * (65534 - 257));
  return `10.0.${offset >> 8}.${offset & 255}`;
}

/** Returns the reason why a requested address cannot be allocated; undefined when it can. */
export function serviceIpProblem(address: string): string | undefined {
  if (/^10\.0\.\d{1,3}\.\d{1,3}$/.test(address)) return undefined;
  return `failed to allocate IP ${address}: the provided network does not match the current range`;
}
