import { CliError } from '../../client/cli-error.js';
import { readRegularFile } from '../../files/read-file.js';
import { systemReason } from '../../files/system-reason.js';
import { Base64Error, decodeGoBase64 } from '../../go/base64.js';
import { listAt, mapAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { type KubeconfigEntry, pathIn } from './kubeconfig.js';
import type { SelectedContext } from './select-context.js';

/** Connection settings of the API server. */
export interface ClusterSettings {
  readonly context: string;
  /** URL with the path prefix of the API, without a trailing slash. */
  readonly server: string;
  /** PEM; undefined: Node's roots. */
  readonly authority: string | undefined;
  readonly insecure: boolean;
  /** Name to verify the certificate for; undefined: the host of the address. */
  readonly serverName: string | undefined;
  /** `proxy-url`; undefined: use the environment variables. */
  readonly proxy: string | undefined;
  /** `disable-compression` */
  readonly isUncompressed: boolean;
}

/** Who sends the requests. */
export interface UserSettings {
  readonly name: string;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  readonly basic: { readonly username: string; readonly password: string } | undefined;
  readonly exec: { readonly settings: ValueMap; readonly entry: KubeconfigEntry } | undefined;
  /** Headers of the impersonated user, in order. */
  readonly impersonation: readonly (readonly [string, string])[];
}

/** Reads the settings of the context's cluster. Throws CliError for an address or certificates that cannot be used. */
export function clusterSettings({ context, cluster }: SelectedContext): ClusterSettings {
  const text = (key: string): string | undefined => stringAt(cluster.settings, key) || undefined;
  const server = text('server') ?? '';
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalidEntry(cluster, 'cluster', `invalid server ${JSON.stringify(server)}: expected https://HOST[:PORT]`);
  }
  const authority = dataOrFile(cluster, 'cluster', 'certificate-authority');
  const insecure = valueAt(cluster.settings, 'insecure-skip-tls-verify') === true;
  if (insecure && authority !== undefined) {
    throw invalidEntry(cluster, 'cluster', 'specifying a root certificates file with the insecure flag is not allowed');
  }
  return {
    context,
    server: server.replace(/\/+$/, ''),
    authority,
    insecure,
    serverName: text('tls-server-name'),
    proxy: text('proxy-url'),
    isUncompressed: valueAt(cluster.settings, 'disable-compression') === true,
  };
}

/**
 * Reads the settings of the context's user. Throws CliError for contradictory ones, and for authentication methods that kubectl no longer supports.
 */
export function userSettings({ user }: SelectedContext): UserSettings {
  if (user === undefined) return { ...nobody, name: '' };
  const { settings } = user;
  const text = (key: string): string | undefined => stringAt(settings, key) || undefined;
  const provider = stringAt(settings, 'auth-provider', 'name');
  if (provider !== '') {
    throw invalidEntry(
      user,
      'user',
      `the auth-provider ${JSON.stringify(provider)} is not supported: kubectl has replaced it by exec plugins`,
    );
  }
  const certificate = dataOrFile(user, 'user', 'client-certificate');
  const key = dataOrFile(user, 'user', 'client-key');
  if ((certificate === undefined) !== (key === undefined)) {
    throw invalidEntry(user, 'user', 'client-certificate and client-key must be given together');
  }
  const username = text('username');
  const tokenFile = text('tokenFile');
  const exec = mapAt(settings, 'exec');
  return {
    name: user.name,
    certificate,
    key,
    token: text('token'),
    tokenFile: tokenFile === undefined ? undefined : pathIn(user, tokenFile),
    basic: username === undefined ? undefined : { username, password: text('password') ?? '' },
    exec: exec === undefined ? undefined : { settings: exec, entry: user },
    impersonation: impersonationOf(settings),
  };
}

const nobody: UserSettings = {
  name: '',
  certificate: undefined,
  key: undefined,
  token: undefined,
  tokenFile: undefined,
  basic: undefined,
  exec: undefined,
  impersonation: [],
};

/** Returns the error for an entry of a kubeconfig. */
export function invalidEntry(entry: KubeconfigEntry, what: string, message: string): CliError {
  return new CliError('invalid-kubeconfig', `${what} ${JSON.stringify(entry.name)}: ${message}`, { location: { file: entry.file } });
}

/** Data in the entry takes precedence over a file. */
function dataOrFile(entry: KubeconfigEntry, what: string, name: string): string | undefined {
  const data = stringAt(entry.settings, `${name}-data`);
  if (data !== '') return decodedData(data, message => invalidEntry(entry, what, `invalid ${name}-data: ${message}`));
  const file = stringAt(entry.settings, name);
  if (file === '') return undefined;
  try {
    return readRegularFile(pathIn(entry, file)).toString('utf8');
  } catch (error) {
    throw invalidEntry(entry, what, `unable to read ${name} ${file}: ${systemReason(error)}`);
  }
}

/** client-go refuses a kubeconfig with data that are not base64. */
function decodedData(data: string, invalid: (message: string) => CliError): string {
  try {
    return Buffer.from(decodeGoBase64(data)).toString('utf8');
  } catch (error) {
    throw error instanceof Base64Error ? invalid(error.message) : error;
  }
}

/** Returns the headers of the user that a kubeconfig's user impersonates. */
export function impersonationOf(settings: ValueMap): [string, string][] {
  const name = stringAt(settings, 'as');
  if (name === '') return [];
  const uid = stringAt(settings, 'as-uid');
  const groups = listAt(settings, 'as-groups').map(group => ['Impersonate-Group', String(group)] as [string, string]);
  const extra = [...(mapAt(settings, 'as-user-extra') ?? [])].flatMap(([key, values]) =>
    (Array.isArray(values) ? values : []).map((value): [string, string] => [`Impersonate-Extra-${encodeURIComponent(key)}`, String(value)]),
  );
  return [['Impersonate-User', name], ...(uid === '' ? [] : [['Impersonate-Uid', uid] as [string, string]]), ...groups, ...extra];
}
