import type { ValueMap } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { nameCharacters } from '../kubernetes/generated-names.js';
import { structNamed } from '../kubernetes/type-table.js';
import { printedForHash } from './printed-for-hash.js';

/**
 * Returns the hash of a pod template, used in the names of replica sets and in labels. Throws RangeError for a template whose printing is
 * not reproduced. Source: pkg/controller/controller_utils.go ComputeHash.
 */
export function templateHash(server: ApiServer, template: ValueMap): string {
  return safeEncoded(fnv32a(Buffer.from(printedForHash(template, structNamed(server, 'core/v1.PodTemplateSpec')))));
}

/**
 * Returns the hash of the data of a set's first controller revision, with no collisions. Source:
 * pkg/controller/history/controller_history.go HashControllerRevision.
 */
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

/** Encodes a decimal number without vowels. Source: apimachinery util/rand SafeEncodeString. */
function safeEncoded(hash: number): string {
  return [...String(hash)].map(digit => nameCharacters[digit.charCodeAt(0) % nameCharacters.length]).join('');
}
