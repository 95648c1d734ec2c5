import { readGiven, StartError } from '../../cli/work/apiserver/start-error.js';
import { parseUrl, UrlError } from '../../go/url/parse.js';
import { isList, type Value, type ValueMap } from '../../go/value.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import { invalidValue, printFieldErrors } from '../../kubernetes/field-error.js';
import type { FlagValues } from '../../kubernetes/server-options.js';
import { issuerKeys } from './remote-keys.js';
import { issuerOf, verifyClaims } from './token-claims.js';

/** Returns the user of a token; undefined if it is invalid or of another issuer. */
export type OpenIdUsers = (token: string) => Promise<UserInfo | undefined>;

/** How the claims of a token become a user. */
interface Mapping {
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly required: ReadonlyMap<string, string>;
}

const algorithms = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'];

/**
 * Returns the authentication by the flags `--oidc-*`; undefined without them. A token whose issuer cannot be asked is invalid. Throws StartError. Source: kubernetes
 * pkg/kubeapiserver/options/authentication.go ToAuthenticationConfig, apiserver plugin/pkg/authenticator/token/oidc.
 */
export function openIdUsers(flags: FlagValues, cwd: string, now: () => Date): OpenIdUsers | undefined {
  const last = (name: string): string => flags.get(name)?.at(-1) ?? '';
  const [issuer, audience] = [last('oidc-issuer-url'), last('oidc-client-id')];
  if (issuer === '') return undefined;
  checkIssuer(issuer, flags.get('service-account-issuer') ?? []);
  const given = flags.get('oidc-signing-algs') ?? ['RS256'];
  const unknown = given.find(algorithm => !algorithms.includes(algorithm));
  if (unknown !== undefined) throw new StartError(`oidc: unsupported signing alg: ${JSON.stringify(unknown)}`);
  const authorityFile = last('oidc-ca-file');
  const keys = issuerKeys(issuer, authorityFile === '' ? undefined : readGiven(authorityFile, cwd));
  const mapping = mappingOf(flags, issuer);
  const rules = { issuer, audience, algorithms: given };
  return async token => {
    if (issuerOf(token) !== issuer) return undefined;
    try {
      const claims = await verifyClaims(token, rules, keys, now());
      return claims && userIn(claims, mapping);
    } catch {
      return undefined;
    }
  };
}

/** Source: apiserver apis/apiserver/validation/validation.go validateURL. */
function checkIssuer(issuer: string, disallowed: readonly string[]): void {
  const problems = disallowed.includes(issuer)
    ? [`URL must not overlap with disallowed issuers: [${[...disallowed].sort().join(' ')}]`]
    : [];
  try {
    const url = parseUrl(issuer);
    if (url.scheme !== 'https') problems.push('URL scheme must be https');
    if (/^[^/]*\/\/[^/]*@/.test(issuer)) problems.push('URL must not contain a username or password');
    if (/\?[^#]/.test(issuer)) problems.push('URL must not contain a query');
    if (/#./.test(issuer)) problems.push('URL must not contain a fragment');
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    problems.push(error.message);
  }
  if (problems.length === 0) return;
  const errors = problems.map(problem => invalidValue('jwt[0].issuer.url', issuer, problem));
  throw new StartError(`invalid authentication configuration: ${printFieldErrors(errors)}`);
}

function mappingOf(flags: FlagValues, issuer: string): Mapping {
  const last = (name: string): string | undefined => flags.get(name)?.at(-1);
  const usernameClaim = last('oidc-username-claim') ?? 'sub';
  const prefix = last('oidc-username-prefix') ?? '';
  const issuerPrefix = usernameClaim === 'email' ? '' : `${issuer}#`;
  const required = (flags.get('oidc-required-claim') ?? []).map((setting): [string, string] => {
    const at = setting.indexOf('=');
    return at < 0 ? [setting, ''] : [setting.slice(0, at), setting.slice(at + 1)];
  });
  return {
    usernameClaim,
    usernamePrefix: prefix === '' ? issuerPrefix : prefix === '-' ? '' : prefix,
    groupsClaim: last('oidc-groups-claim') ?? '',
    groupsPrefix: last('oidc-groups-prefix') ?? '',
    required: new Map(required),
  };
}

/** Source: apiserver plugin/pkg/authenticator/token/oidc AuthenticateToken, getUsername, getGroups, getExtra. */
function userIn(claims: ValueMap, mapping: Mapping): UserInfo | undefined {
  const name = claims.get(mapping.usernameClaim);
  if (typeof name !== 'string') return undefined;
  const verified = claims.get('email_verified');
  if (mapping.usernameClaim === 'email' && verified !== undefined && verified !== true) return undefined;
  const groups = mapping.groupsClaim === '' ? [] : textsIn(claims.get(mapping.groupsClaim));
  if (groups === undefined) return undefined;
  for (const [claim, value] of mapping.required) if (claims.get(claim) !== value) return undefined;
  const id = claims.get('jti');
  return {
    username: `${mapping.usernamePrefix}${name}`,
    uid: '',
    groups: groups.map(group => `${mapping.groupsPrefix}${group}`),
    extra: typeof id === 'string' && id !== '' ? new Map([['authentication.kubernetes.io/credential-id', [`JTI=${id}`]]]) : new Map(),
  };
}

/** Returns one text or a list of texts; undefined for anything else. */
function textsIn(value: Value | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [value];
  return isList(value) && value.every(item => typeof item === 'string') ? value.map(String) : undefined;
}
