import type { ValueMap } from '../go/value.js';
import { structNamed } from '../kubernetes/type-table.js';
import { printedForHash } from './printed-for-hash.js';

/**
 * The hash of a pod template in the names of replica sets and in the labels of what they and daemon sets make. Throws RangeError for a template that
 * holds something whose printing is not reproduced. Source: pkg/controller/controller_utils.go ComputeHash.
 */
export function templateHash(template: ValueMap): string {
  return safeEncoded(fnv32a(Buffer.from(printedForHash(template, structNamed('core/v1.PodTemplateSpec')))));
}

/** The hash of the data of a set's first controller revision, which has had no collisions: 0 of them. Source: pkg/controller/history/controller_history.go HashControllerRevision. */
export function revisionHash(data: string): string {
  return safeEncoded(fnv32(Buffer.from(`${data}0`)));
}

const offset = 0x811c9dc5;
const prime = 0x01000193;

/** Source: hash/fnv. */
function fnv32a(bytes: Uint8Array): number {
  let hash = offset;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime) >>> 0;
  return hash;
}

function fnv32(bytes: Uint8Array): number {
  let hash = offset;
  for (const byte of bytes) hash = (Math.imul(hash, prime) ^ byte) >>> 0;
  return hash;
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** The decimal number, each digit another character: no vowels, no bad words. Source: apimachinery util/rand SafeEncodeString. */
function safeEncoded(hash: number): string {
  return [...String(hash)].map(digit => alphabet[digit.charCodeAt(0) % alphabet.length]).join('');
}
