import { CliError } from '../../client/cli-error.js';
import { readRegularFile } from '../../files/read-file.js';
import { systemReason } from '../../files/system-reason.js';
import type { UserSettings } from '../kubeconfig/cluster-settings.js';
import type { PluginCredential } from './exec-plugin.js';

/** Credentials of one request. */
export interface Proof {
  /** Value of the Authorization header; undefined without one. */
  readonly authorization: string | undefined;
  /** PEM of a client certificate and its key. */
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** Credentials of a user. */
export interface Credentials {
  proof(): Promise<Proof>;
  /** Discards a credential that the API server rejected; false if a new one cannot be obtained. */
  renew(): boolean;
}

/**
 * Returns the credentials of a user. A token file overrides a token, and both override an exec plugin. Source: client-go
 * transport/round_trippers.go.
 */
export function credentialsOf(
  user: UserSettings,
  { runPlugin, now }: { readonly runPlugin: () => Promise<PluginCredential>; readonly now: () => Date },
): Credentials {
  const { certificate, key } = user;
  if (user.exec !== undefined && user.token === undefined && user.tokenFile === undefined && user.basic === undefined)
    return pluginCredentials(user, runPlugin, now);
  return { proof: async () => ({ authorization: authorizationOf(user), certificate, key }), renew: () => false };
}

function authorizationOf({ name, token, tokenFile, basic }: UserSettings): string | undefined {
  if (basic !== undefined && token === undefined && tokenFile === undefined)
    return `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`;
  const bearer = tokenFile === undefined ? token : tokenIn(tokenFile, name);
  return bearer === undefined ? undefined : bearerOf(bearer, name, tokenFile);
}

/** A token with a line break would not be sent, which looks like a cluster that cannot be reached. */
function bearerOf(token: string, user: string, file?: string): string {
  if (/^[\t\x20-\x7e]+$/.test(token)) return `Bearer ${token}`;
  throw new CliError('invalid-kubeconfig', `user ${JSON.stringify(user)}: the token has characters that no header can have`, {
    location: file === undefined ? undefined : { file },
    suggestions: ['check that it is one line of ASCII'],
  });
}

function tokenIn(file: string, user: string): string {
  try {
    const token = readRegularFile(file).toString('utf8').trim();
    if (token !== '') return token;
  } catch (error) {
    throw new CliError('invalid-kubeconfig', `user ${JSON.stringify(user)}: the token file cannot be read: ${systemReason(error)}`, {
      location: { file },
      cause: error,
    });
  }
  throw new CliError('invalid-kubeconfig', `user ${JSON.stringify(user)}: the token file is empty`, { location: { file } });
}

function pluginCredentials({ name, certificate, key }: UserSettings, run: () => Promise<PluginCredential>, now: () => Date): Credentials {
  let latest: Promise<PluginCredential> | undefined;
  return {
    proof: async () => {
      const known = await latest;
      if (known?.expires !== undefined && known.expires <= now()) latest = undefined;
      latest ??= run();
      const credential = await latest;
      return {
        authorization: credential.token === undefined ? undefined : bearerOf(credential.token, name),
        certificate: credential.certificate ?? certificate,
        key: credential.key ?? key,
      };
    },
    renew: () => {
      latest = undefined;
      return true;
    },
  };
}
