import { decodeRawUrlBase64 } from '../../go/base64.js';
import { isNullNode, type JsonNode } from '../../go/json/node.js';
import { quote } from '../../go/quote.js';
import type { HttpGet } from './http-client.js';
import { type Claims, claimsOf, membersNamed, textIn } from './json-claims.js';
import { type Provider, type ProviderOptions, startProvider } from './provider.js';
import { messageOf } from './signed-token.js';
import { type TokenRules, untrustedIssuer, verifyToken } from './verify-token.js';

/** Adds the claim of groups from where a token says that it is. Rejects if it cannot be read there. */
export interface ClaimResolver {
  readonly expand: (claims: Claims) => Promise<void>;
  readonly stop: () => void;
}

/** Returns the resolver of a claim. Source: apiserver plugin/pkg/authenticator/token/oidc claimResolver. */
export function claimResolver(claim: string, rules: TokenRules, options: Omit<ProviderOptions, 'issuer' | 'discoveryUrl'>): ClaimResolver {
  const providers = new Map<string, Provider>();
  return {
    expand: async claims => {
      const source = sourceOf(claims, claim);
      if (source !== undefined) claims.set(claim, await resolve(source));
    },
    stop: () => {
      for (const provider of providers.values()) provider.stop();
    },
  };

  async function resolve({ url, accessToken }: ClaimSource): Promise<JsonNode> {
    const token = await readToken(options.get, url, accessToken).catch((error: unknown) => {
      throw new Error(`while getting distributed claim ${quote(claim)}: ${messageOf(error)}`);
    });
    const issuer = untrustedIssuer(token);
    if (issuer === undefined)
      throw new Error(`getting untrusted issuer from endpoint ${url} failed for claim ${quote(claim)}: ${malformed(token)}`);
    const provider = providers.get(issuer) ?? startProvider({ ...options, issuer, discoveryUrl: '' });
    providers.set(issuer, provider);
    // The first token of an issuer does not wait for it.
    const keys = provider.knownKeys();
    if (keys === undefined)
      throw new Error(`verifying untrusted issuer ${issuer} failed: verifier not initialized for issuer: ${quote(issuer)}`);
    const object = await verifyToken(token, { ...rules, issuer }, keys).catch((error: unknown) => {
      throw new Error(`verify distributed claim token: ${messageOf(error)}`);
    });
    const value = claimsOf(object).get(claim);
    if (value === undefined) throw new Error(`jwt returned by distributed claim endpoint ${quote(url)} did not contain claim: ${claim}`);
    return value;
  }
}

interface ClaimSource {
  readonly url: string;
  readonly accessToken: string;
}

/** Returns where a claim is; undefined if it is in the token, or nowhere. Source: expand. */
function sourceOf(claims: Claims, claim: string): ClaimSource | undefined {
  const names = claims.get('_claim_names');
  if (claims.has(claim) || names === undefined) return undefined;
  const sources = claims.get('_claim_sources');
  if (sources === undefined) throw new Error('oidc: no claim sources');
  if (names.type !== 'object' || sources.type !== 'object') return undefined;
  const name = claimsOf(names).get(claim);
  if (name === undefined) return undefined;
  const source = claimsOf(sources).get(textIn(name));
  if (source === undefined) throw new Error(`id token _claim_names contained a source ${textIn(name)} missing in _claims_sources`);
  if (isNullNode(source) || source.type !== 'object') return undefined;
  const member = (key: string): string =>
    membersNamed(source, key)
      .map(node => textIn(node))
      .at(-1) ?? '';
  const url = member('endpoint');
  // The claim of an empty one may be within the token, which is not supported.
  return url === '' ? undefined : { url, accessToken: member('access_token') };
}

/** Source: getClaimJWT. */
async function readToken(get: HttpGet, url: string, accessToken: string): Promise<string> {
  const { code, status, text } = await get(url, accessToken);
  if (code < 200 || code > 226) throw new Error(`error while getting distributed claim JWT: ${status}`);
  return text;
}

/** Why a text is not a token. Source: untrustedIssuer. */
function malformed(token: string): string {
  if (token.trim().startsWith('{')) return 'token is not compact JWT';
  const [, payload, ...rest] = token.split('.');
  if (payload === undefined || rest.length !== 1) return 'malformed token';
  try {
    decodeRawUrlBase64(payload);
    return 'while unmarshaling token: expected a JSON object with the text iss';
  } catch (error) {
    return `error decoding token: ${messageOf(error)}`;
  }
}
