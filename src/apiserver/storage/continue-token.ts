import { encodeBase64 } from '../../go/base64.js';
import { type JsonNode, JsonSyntaxError, readJson } from '../../go/json/reader.js';
import { writeValue } from '../../go/json/write.js';
import type { Value } from '../../go/value.js';
import { badRequest } from '../../kubernetes/status-errors.js';

/** Position where a list continues. */
export interface ContinueToken {
  /** State that the list shows; below zero: the newest. */
  readonly resourceVersion: bigint;
  /** Key after which it continues: `NAME\0`, or `NAMESPACE/NAME\0` in a list of all namespaces. */
  readonly start: string;
}

/** Encodes the token of a list's next page, which starts after this object's key. Source: apiserver storage/continue.go EncodeContinue. */
export function encodeContinue(lastKey: string, resourceVersion: bigint): string {
  const token = new Map<string, Value>([
    ['v', 'meta.k8s.io/v1'],
    ['rv', resourceVersion],
    ['start', `${lastKey}\u0000`],
  ]);
  return encodeBase64(Buffer.from(writeValue(token, 'kept')))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** Decodes a token. Throws a 400 with Go's message. Source: apiserver storage/continue.go DecodeContinue. */
export function decodeContinue(text: string): ContinueToken {
  const wrong = (why: string): Error => badRequest(`invalid continue token: continue key is not valid${why}`);
  const illegal = illegalAt(text);
  if (illegal !== undefined) throw wrong(`: illegal base64 data at input byte ${illegal}`);
  let node: JsonNode;
  try {
    node = readJson(Buffer.from(text, 'base64url').toString('utf8'));
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw wrong(`: ${error.message}`);
    throw error;
  }
  const member = (name: string): JsonNode | undefined =>
    node.type === 'object' ? node.members.findLast(m => m.key.toLowerCase() === name)?.value : undefined;
  const [version, revision, start] = [member('v'), member('rv'), member('start')];
  const apiVersion = version?.type === 'string' ? version.value : '';
  if (apiVersion !== 'meta.k8s.io/v1') throw wrong(`: server does not recognize this encoded version ${apiVersion}`);
  const resourceVersion = revision?.type === 'number' && /^-?\d+$/.test(revision.text) ? BigInt(revision.text) : 0n;
  if (resourceVersion === 0n) throw wrong(': incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  const key = start?.type === 'string' ? start.value : '';
  if (key === '') throw wrong(': encoded start key empty (version meta.k8s.io/v1)');
  if (!isClean(key.startsWith('/') ? key : `/${key}`)) throw wrong(`: ${key}`);
  return { resourceVersion, start: key.replace(/^\//, '') };
}

/** Returns the position of an error in unpadded URL-safe base64; undefined when it is valid. */
function illegalAt(text: string): number | undefined {
  const at = /[^A-Za-z0-9_-]/.exec(text.replaceAll(/[\r\n]/g, ''))?.index;
  if (at !== undefined) return at;
  return text.length % 4 === 1 ? text.length - 1 : undefined;
}

/** Reports whether path.Clean does not change a path. */
function isClean(key: string): boolean {
  return key
    .slice(1)
    .split('/')
    .every(part => part !== '' && part !== '.' && part !== '..');
}
