import { isIP } from 'node:net';
import type { Value } from '../../go/value.js';

/** A field that differs between two answers. */
export interface DifferentField {
  /** JSON pointer. */
  readonly path: string;
  readonly theirs: Value | undefined;
  readonly mine: Value | undefined;
  /** Text of all inputs of both answers. */
  readonly given: string;
  readonly generateName: string;
  /** Is it a field of a list? */
  readonly isList: boolean;
}

/** Reports whether two values differ only in server-generated parts: uids, times, random names, allocated addresses and ports. */
export function isServersOwn({ path, theirs, mine, given, generateName, isList }: DifferentField): boolean {
  if (typeof theirs === 'bigint' && typeof mine === 'bigint') return allocatedPorts.test(path) && !given.includes(String(theirs));
  // The version of a list is that of the whole cluster.
  if (path === '/metadata/resourceVersion' && isList) return true;
  if (typeof theirs !== 'string' || typeof mine !== 'string') return false;
  if (allocatedAddresses.test(path)) return isIP(theirs) !== 0 && isIP(mine) === isIP(theirs) && !given.includes(`"${theirs}"`);
  const masked = (text: string): string => maskedText(text, given, generateName);
  return masked(theirs) === masked(mine);
}

const allocatedPorts = /^\/spec\/(?:healthCheckNodePort|ports\/\d+\/nodePort)$/;
const allocatedAddresses = /^\/spec\/(?:clusterIP|clusterIPs\/\d+)$/;

const uid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const tokenVolume = /\bkube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;

/** Masks uids, times and random names. Values that were given are kept: they must be the same. */
export function maskedText(text: string, given: string, generateName: string): string {
  const unlessGiven = (mask: string) => (found: string) => (given.includes(found) ? found : mask);
  const masked = text
    .replace(uid, unlessGiven('<uid>'))
    .replace(time, unlessGiven('<time>'))
    .replace(tokenVolume, unlessGiven('kube-api-access-<suffix>'));
  if (generateName === '') return masked;
  const stem = generateName.replace(/[\\^$.|?*+(){}[\]]/g, '\\$&');
  return masked.replace(new RegExp(`${stem}[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])`, 'g'), `${generateName}<suffix>`);
}
