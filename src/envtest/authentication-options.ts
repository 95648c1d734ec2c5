import { readGiven, StartError } from '../cli/work/apiserver/start-error.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import type { FlagValues } from '../kubernetes/server-options.js';
import type { Authenticators } from '../local-apiserver/access/authentication.js';
import type { RequestHeaders } from '../local-apiserver/access/request-headers.js';
import type { AskForToken } from '../local-apiserver/access/token-answer.js';
import { publicKeysIn, signingKeyIn, type TokenAuthority } from '../local-apiserver/access/token-keys.js';
import type { TokenUser } from '../local-apiserver/access/token-users.js';
import { clientCertificatesIn } from '../local-apiserver/http/client-certificates.js';
import type { AnonymousConfiguration } from './openid/configuration.js';
import type { AuthenticationSurroundings, ConfiguredAuthentication } from './openid/configured-authentication.js';
import { askInOrder, jwtTokens } from './other-tokens.js';
import { tokenWebhook } from './token-webhook.js';

/** Who may authenticate, and how. */
export interface AuthenticationOptions {
  /** PEM, or `none`. */
  readonly clientCa: string;
  readonly requestHeaders: RequestHeaders | undefined;
  readonly users: readonly TokenUser[];
  readonly allowsAnonymous: Authenticators['allowsAnonymous'];
  readonly tokenAuthority: TokenAuthority;
  readonly askForOtherToken: AskForToken | undefined;
  /** Ends what follows files and issuers. */
  readonly stopAuthentication: () => void;
}

/** Reads the files of the flags. Throws StartError, or the system's error for a file that cannot be read. Source: kubernetes pkg/kubeapiserver/options/authentication.go. */
export async function readAuthenticationOptions(
  server: ApiServer,
  flags: FlagValues,
  surroundings: AuthenticationSurroundings,
): Promise<AuthenticationOptions> {
  const { cwd } = surroundings;
  const last = (name: string): string | undefined => flags.get(name)?.at(-1) || undefined;
  const read = (file: string): string => readGiven(file, cwd);
  const tokenFile = last('token-auth-file');
  const clientCa = (await readAuthority('client-ca-file', last('client-ca-file'), read)) ?? 'none';
  const configured = await readConfigured(server, flags, surroundings);
  const proxyCa = await readAuthority('requestheader-client-ca-file', last('requestheader-client-ca-file'), read);
  const tokenAuthority = tokenAuthorityOf(flags, read);
  const users = tokenFile === undefined ? [] : tokenUsers(tokenFile, read(tokenFile));
  const issuers = configured?.start(tokenAuthority.issuers);
  const byWebhook = tokenWebhook(flags, tokenAuthority.audiences, cwd);
  return {
    clientCa,
    requestHeaders: requestHeadersOf(flags, proxyCa),
    users,
    allowsAnonymous: anonymousRule(configured?.anonymous, flags),
    tokenAuthority,
    askForOtherToken: askInOrder([issuers && jwtTokens(issuers.authenticate, tokenAuthority.audiences), byWebhook]),
    stopAuthentication: () => issuers?.stop(),
  };
}

/** Returns the configuration of issuers; undefined without flags for it. */
async function readConfigured(
  server: ApiServer,
  flags: FlagValues,
  surroundings: AuthenticationSurroundings,
): Promise<ConfiguredAuthentication | undefined> {
  const isGiven = (flag: string): boolean => (flags.get(flag)?.at(-1) ?? '') !== '';
  if (!isGiven('authentication-config') && !isGiven('oidc-issuer-url')) return undefined;
  // Loaded only for these flags: the start of the server is measured in milliseconds.
  const { readConfiguredAuthentication } = await import('./openid/configured-authentication.js');
  return readConfiguredAuthentication(server, flags, surroundings);
}

/** Returns which requests without credentials are anonymous ones. */
function anonymousRule(configured: AnonymousConfiguration | undefined, flags: FlagValues): AuthenticationOptions['allowsAnonymous'] {
  if (configured !== undefined) {
    const paths = new Set((configured.conditions ?? []).map(({ path = '' }) => path));
    return path => configured.enabled === true && (paths.size === 0 || paths.has(path));
  }
  // Everybody would be allowed everything.
  const hasModes = (flags.get('authorization-config')?.at(-1) ?? '') === '';
  const allowsEverything = hasModes && (flags.get('authorization-mode') ?? ['AlwaysAllow']).includes('AlwaysAllow');
  const allows = flags.get('anonymous-auth')?.at(-1) !== 'false' && !allowsEverything;
  return () => allows;
}

async function readAuthority(flag: string, file: string | undefined, read: (file: string) => string): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const pem = read(file);
  if (isReadByOpenSsl(pem)) return pem;
  // Loaded only for an error: the start of the server is measured in milliseconds.
  const { authoritiesError } = await import('../certificates/serving-pair.js');
  const purpose = flag === 'client-ca-file' ? 'client-ca-bundle' : 'request-header';
  const reason = authoritiesError(pem) ?? 'OpenSSL cannot read it';
  throw new StartError(`error loading CA bundle for ${JSON.stringify(`${purpose}::${file}`)}: ${reason}`);
}

function isReadByOpenSsl(pem: string): boolean {
  try {
    return clientCertificatesIn(pem).length > 0;
  } catch {
    return false;
  }
}

function requestHeadersOf(flags: FlagValues, ca: string | undefined): RequestHeaders | undefined {
  if (ca === undefined) return undefined;
  const list = (name: string): readonly string[] => flags.get(name) ?? [];
  return {
    ca,
    allowedNames: list('requestheader-allowed-names'),
    usernameHeaders: list('requestheader-username-headers'),
    uidHeaders: list('requestheader-uid-headers'),
    groupHeaders: list('requestheader-group-headers'),
    extraPrefixes: list('requestheader-extra-headers-prefix'),
  };
}

function tokenUsers(file: string, text: string): readonly TokenUser[] {
  const parsed = parseTokenFile(text);
  if ('columns' in parsed) {
    throw new StartError(`token file '${file}' must have at least 3 columns (token, user name, user uid), found ${parsed.columns}`);
  }
  return parsed.users;
}

function tokenAuthorityOf(flags: FlagValues, read: (file: string) => string): TokenAuthority {
  const issuers = flags.get('service-account-issuer') ?? [];
  const signingFile = flags.get('service-account-signing-key-file')?.at(-1) ?? '';
  const keyFiles = flags.get('service-account-key-file') ?? [];
  const audiences = flags.get('api-audiences') ?? [];
  return {
    issuers,
    audiences: audiences.length > 0 ? audiences : issuers,
    signingKey: parsedAuthority('service-account-issuer-key-file', () => signingKeyIn(read(signingFile))),
    publicKeys: keyFiles.flatMap(file => parsedAuthority('service-account-key-file', () => publicKeysIn(read(file)))),
  };
}

/** Replaces the error of OpenSSL for an invalid key by that of kube-apiserver. */
function parsedAuthority<T>(what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error;
    throw new StartError(`failed to parse ${what}: data does not contain a valid key`);
  }
}

/**
 * Returns the users in a CSV file of `token,user,uid,"group1,group2"`, or the number of columns of a line with too few. The last line of a token
 * counts. Source: apiserver authentication/token/tokenfile.
 */
function parseTokenFile(text: string): { readonly users: readonly TokenUser[] } | { readonly columns: number } {
  const users = new Map<string, TokenUser>();
  for (const line of text.split(/\r?\n/)) {
    if (line === '') continue;
    const record = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
      quoted === undefined ? plain : quoted.replaceAll('""', '"'),
    );
    if (record.length < 3) return { columns: record.length };
    const [token = '', username = '', uid = '', groups] = record;
    if (token !== '') users.set(token, { token, username, uid, groups: groups === undefined ? [] : groups.split(',') });
  }
  return { users: [...users.values()] };
}
