import { StartError } from '../../cli/work/apiserver/start-error.js';
import { quote } from '../../go/quote.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type FieldError, printFieldErrors } from '../../kubernetes/field-error.js';
import { type CheckedAuthenticator, checkAuthenticator } from './check-authenticator.js';
import type { JwtAuthenticator } from './configuration.js';
import { claimResolver } from './distributed-claims.js';
import { httpClient } from './http-client.js';
import { claimsOf } from './json-claims.js';
import { startProvider } from './provider.js';
import { messageOf } from './signed-token.js';
import { userOfClaims } from './user-of-claims.js';
import { type TokenRules, untrustedIssuer, verifyToken } from './verify-token.js';

/** Result of the authenticator of a token's issuer: the user, or why the token is invalid; undefined for a token of another issuer. */
export type JwtAnswer = { readonly user: UserInfo } | { readonly error: string } | undefined;

/** The authenticators of a configuration. */
export interface JwtAuthenticators {
  readonly authenticate: (token: string) => Promise<JwtAnswer>;
  /** Returns why issuers cannot be asked yet, after the attempts that are under way. */
  readonly readProblems: () => Promise<readonly string[]>;
  /** Ends the attempts to ask issuers. */
  readonly stop: () => void;
}

export interface JwtOptions {
  readonly server: ApiServer;
  readonly algorithms: readonly string[];
  /** Issuers of service account tokens. */
  readonly disallowedIssuers: readonly string[];
  readonly now: () => Date;
  readonly log: (line: string) => void;
}

const known = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'];

/** Algorithms of signatures that a configuration file allows. */
export function allAlgorithms(server: ApiServer): readonly string[] {
  return server.since('v1.38') ? [...known.slice(0, 3), 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87', ...known.slice(3)] : known;
}

/** Starts the authenticators of a valid configuration. Throws StartError. Source: kubernetes pkg/kubeapiserver/authenticator/config.go newJWTAuthenticator. */
export function startJwtAuthenticators(jwt: readonly JwtAuthenticator[], options: JwtOptions): JwtAuthenticators {
  const started: StartedAuthenticator[] = [];
  try {
    for (const authenticator of jwt) started.push(startAuthenticator(authenticator, options));
  } catch (error) {
    for (const { stop } of started) stop();
    throw error;
  }
  return {
    authenticate: async token => {
      const issuer = untrustedIssuer(token);
      return issuer === undefined ? undefined : started.find(({ issuer: own }) => own === issuer)?.authenticate(token);
    },
    readProblems: async () => (await Promise.all(started.map(({ readProblem }) => readProblem()))).flatMap(problem => problem ?? []),
    stop: () => {
      for (const { stop } of started) stop();
    },
  };
}

interface StartedAuthenticator {
  readonly issuer: string;
  readonly authenticate: (token: string) => Promise<JwtAnswer>;
  readonly readProblem: () => Promise<string | undefined>;
  readonly stop: () => void;
}

/** Source: apiserver plugin/pkg/authenticator/token/oidc New. */
function startAuthenticator(authenticator: JwtAuthenticator, options: JwtOptions): StartedAuthenticator {
  const { server, algorithms, now } = options;
  const { errors, checked } = checkAuthenticator(server, authenticator, '', options.disallowedIssuers);
  throwErrors(errors);
  const unknown = algorithms.find(algorithm => !allAlgorithms(server).includes(algorithm));
  if (unknown !== undefined) throw new StartError(`oidc: unsupported signing alg: ${quote(unknown)}`);
  const {
    url: issuer = '',
    discoveryURL = '',
    audiences = [],
    certificateAuthority = '',
    egressSelectorType = '',
  } = authenticator.issuer ?? {};
  if (egressSelectorType !== '')
    throw new StartError(`oidc: egress lookup required with egress selector type ${quote(egressSelectorType)}`);
  const get = httpClient(certificateAuthority);
  const log = (what: string) => (reason: string) => options.log(`oidc authenticator: ${what}: ${reason}`);
  const provider = startProvider({ server, issuer, discoveryUrl: discoveryURL, get, now, onFailure: log('initializing plugin') });
  const rules: TokenRules = { server, issuer, audiences, algorithms, now };
  const claim = authenticator.claimMappings?.groups?.claim ?? '';
  const onFailure = log('async token verifier');
  const resolver = claim === '' ? undefined : claimResolver(claim, rules, { server, get, now, onFailure });
  return {
    issuer,
    authenticate: async token => {
      const keys = await provider.keys();
      if (keys === undefined) return { error: 'oidc: authenticator not initialized' };
      return readUser(checked, { read: () => verifyToken(token, rules, keys), expand: resolver?.expand });
    },
    readProblem: async () => {
      await provider.keys();
      const problem = provider.problem();
      return problem === undefined ? undefined : `oidc: authenticator for issuer ${quote(issuer)} is not healthy: ${problem}`;
    },
    stop: () => {
      provider.stop();
      resolver?.stop();
    },
  };
}

interface TokenSteps {
  readonly read: () => ReturnType<typeof verifyToken>;
  readonly expand: ReturnType<typeof claimResolver>['expand'] | undefined;
}

/** Source: AuthenticateToken. */
async function readUser(checked: CheckedAuthenticator, { read, expand }: TokenSteps): Promise<JwtAnswer> {
  try {
    const claims = claimsOf(
      await read().catch((error: unknown) => {
        throw new Error(`oidc: verify token: ${messageOf(error)}`);
      }),
    );
    await expand?.(claims).catch((error: unknown) => {
      throw new Error(`oidc: could not expand distributed claims: ${messageOf(error)}`);
    });
    return { user: userOfClaims(checked, claims) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** Throws StartError for errors. */
export function throwErrors(errors: readonly FieldError[], prefix = ''): void {
  if (errors.length > 0) throw new StartError(`${prefix}${printFieldErrors(errors)}`);
}
