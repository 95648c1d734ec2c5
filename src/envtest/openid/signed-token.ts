import { decodeRawUrlBase64 } from '../../go/base64.js';
import { isNullNode, type JsonNode, type JsonObject, jsonKind } from '../../go/json/node.js';
import { readJson } from '../../go/json/reader.js';
import { quote } from '../../go/quote.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { textIn } from './json-claims.js';
import { keyProblem } from './key-set.js';

/** A token, of which nothing is verified yet. */
export interface SignedToken {
  /** What is signed. */
  readonly text: string;
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
  readonly algorithm: string;
  readonly keyId: string;
  /** Whether the header has members that have to be understood. */
  readonly isCritical: boolean;
}

/** Returns the parts of a token. Throws Error for a malformed one. Source: go-jose jws.go parseSignedCompact. */
export function parseSigned(
  token: string,
  { server, algorithms }: { readonly server: ApiServer; readonly algorithms: readonly string[] },
): SignedToken {
  try {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const [head, bytes, signed] = [header, payload, signature].map(decodeRawUrlBase64) as [Uint8Array, Uint8Array, Uint8Array];
    const { algorithm, keyId, isCritical } = headerIn(server, Buffer.from(head).toString('utf8'));
    if (server.since('v1.38') && !algorithms.includes(algorithm))
      throw new Error(`unexpected signature algorithm ${quote(algorithm)}; expected ${goList(algorithms)}`);
    return { text: `${header}.${payload}`, payload: bytes, signature: signed, algorithm, keyId, isCritical };
  } catch (error) {
    throw new Error(`oidc: malformed jwt: ${messageOf(error)}`);
  }
}

type Header = Pick<SignedToken, 'algorithm' | 'keyId' | 'isCritical'>;

function headerIn(server: ApiServer, text: string): Header {
  const header = { algorithm: '', keyId: '', isCritical: false };
  const object = text === '' ? undefined : objectIn(server, text);
  for (const { key, value } of object?.members ?? []) {
    const raw = text.slice(value.start, value.end);
    if (key === 'alg') header.algorithm = memberText(server, value, { what: 'algorithm', raw });
    if (key === 'kid') header.keyId = memberText(server, value, { what: 'key ID', raw });
    if (key === 'nonce') memberText(server, value, { what: 'nonce', raw });
    if (key === 'jwk') checkKey(server, value, raw);
    if (key === 'crit' && value.type === 'array') header.isCritical = value.items.length > 0;
  }
  return header;
}

function objectIn(server: ApiServer, text: string): JsonObject | undefined {
  try {
    const node = readJson(text);
    if (node.type === 'object') return node;
    if (isNullNode(node)) return undefined;
    throw new Error(`json: cannot unmarshal ${jsonKind(node)} into Go value of type jose.rawHeader`);
  } catch (error) {
    throw server.since('v1.38') ? new Error('go-jose/go-jose: invalid protected header') : error;
  }
}

/** go-jose v4 does not know an algorithm of another type. */
function memberText(server: ApiServer, value: JsonNode, { what, raw }: { readonly what: string; readonly raw: string }): string {
  try {
    return textIn(value);
  } catch (error) {
    if (what === 'algorithm' && server.since('v1.38')) return '';
    throw new Error(`failed to unmarshal ${what}: ${messageOf(error)}: ${quote(raw)}`);
  }
}

/** A key in the header is not used, but has to be valid. */
function checkKey(server: ApiServer, value: JsonNode, raw: string): void {
  if (value.type !== 'object') return;
  const key: object = JSON.parse(raw);
  const problem = keyProblem(key);
  if (problem !== undefined)
    throw new Error(
      server.since('v1.38')
        ? 'failed to unmarshal JWK: go-jose/go-jose: unsupported key type, format, curve, or RSA modulus size'
        : `failed to unmarshal JWK: ${problem}: ${quote(raw)}`,
    );
  if ('d' in key) throw new Error('go-jose/go-jose: invalid embedded jwk, must be public key');
}

/** A list of texts as %q prints it. */
export function goList(texts: readonly string[]): string {
  return `[${texts.map(quote).join(' ')}]`;
}

/** Returns the message of what was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
