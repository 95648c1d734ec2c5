import { isNullNode, type JsonNode, type JsonObject } from '../../go/json/node.js';
import { quote } from '../../go/quote.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { membersNamed, mismatch, textIn, textsIn } from './json-claims.js';

/** The claims of a token that are checked for every issuer. */
export interface IdToken {
  readonly issuer: string;
  readonly audience: readonly string[];
  /** Seconds since 1970; without the claim those of Go's zero time. */
  readonly expiry: bigint;
  /** Seconds since 1970. */
  readonly notBefore: bigint | undefined;
}

/** Claims with a decoder of their own; Go 1.27 does not say for which field one failed. */
const decoded: ReadonlySet<string> = new Set(['aud', 'exp', 'iat', 'nbf']);

const zeroSeconds = -62_135_596_800n;

/** Returns the checked claims. Throws Error for claims of other types, or of sources that are missing. Source: go-oidc oidc.go, verify.go idToken. */
export function readIdToken(object: JsonObject, server: ApiServer): IdToken {
  const last = <T>(name: string, read: (node: JsonNode, into: string) => T): T | undefined =>
    membersNamed(object, name)
      .map(node => read(node, server.since('v1.38') && decoded.has(name) ? 'value' : `struct field idToken.${name}`))
      .at(-1);
  // Fields with a decoder of their own fail first.
  const audience = last('aud', audienceIn) ?? [];
  const expiry = last('exp', secondsIn) ?? zeroSeconds;
  last('iat', secondsIn);
  const notBefore = last('nbf', (node, into) => (isNullNode(node) ? undefined : secondsIn(node, into)));
  const issuer = last('iss', textIn) ?? '';
  for (const name of ['sub', 'nonce', 'at_hash']) last(name, textIn);
  checkSources(last('_claim_names', namesIn) ?? new Map(), last('_claim_sources', sourcesIn) ?? new Set());
  return { issuer, audience, expiry, notBefore };
}

function audienceIn(node: JsonNode, into: string): readonly string[] {
  return node.type === 'string' || isNullNode(node) ? [textIn(node)] : textsIn(node, into);
}

/** A number, which may be a text. Source: json.Number, go-oidc jsonTime. */
function secondsIn(node: JsonNode, into: string): bigint {
  if (isNullNode(node)) throw new Error('strconv.ParseFloat: parsing "": invalid syntax');
  if (node.type !== 'number' && node.type !== 'string') throw mismatch(node, into, 'json.Number');
  const text = node.type === 'number' ? node.text : node.value;
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text))
    throw new Error(
      into === 'value'
        ? `json: cannot unmarshal string ${quote(text)} into Go value of type json.Number: invalid syntax`
        : `json: invalid number literal, trying to unmarshal ${quote(JSON.stringify(text))} into Number`,
    );
  if (/^-?\d{1,18}$/.test(text)) return BigInt(text);
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Error(`strconv.ParseFloat: parsing ${quote(text)}: value out of range`);
  // As amd64 converts what does not fit.
  return Math.abs(number) < 2 ** 63 ? BigInt(Math.trunc(number)) : -(2n ** 63n);
}

function namesIn(node: JsonNode, into: string): ReadonlyMap<string, string> {
  if (isNullNode(node)) return new Map();
  if (node.type !== 'object') throw mismatch(node, into, 'map[string]string');
  return new Map(node.members.map(({ key, value }) => [key, textIn(value, into)]));
}

function sourcesIn(node: JsonNode, into: string): ReadonlySet<string> {
  if (isNullNode(node)) return new Set();
  if (node.type !== 'object') throw mismatch(node, into, 'map[string]oidc.claimSource');
  for (const { value } of node.members) {
    if (isNullNode(value)) continue;
    if (value.type !== 'object') throw mismatch(value, into, 'oidc.claimSource');
    for (const name of ['endpoint', 'access_token'])
      for (const member of membersNamed(value, name)) textIn(member, `struct field claimSource._claim_sources.${name}`);
  }
  return new Set(node.members.map(({ key }) => key));
}

function checkSources(names: ReadonlyMap<string, string>, sources: ReadonlySet<string>): void {
  for (const source of names.values()) {
    if (source === '') throw new Error('oidc: failed to obtain source from claim name');
    if (!sources.has(source)) throw new Error('oidc: source does not exist');
  }
}
