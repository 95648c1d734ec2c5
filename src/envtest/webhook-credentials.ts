import { StartError } from '../cli/work/apiserver/start-error.js';
import { impersonationOf } from '../cluster/kubeconfig/cluster-settings.js';
import { type Kubeconfig, type KubeconfigEntry, pathIn } from '../cluster/kubeconfig/kubeconfig.js';
import { readKubeconfig } from '../cluster/kubeconfig/read-kubeconfig.js';
import { readNamedFile } from '../files/read-file.js';
import { systemReason } from '../files/system-reason.js';
import { quote } from '../go/quote.js';
import { mapAt, stringAt, type ValueMap } from '../go/value.js';
import { memoize } from '../kubernetes/memoize.js';
import type { CallWebhook } from '../kubernetes/webhook-call.js';
import { createTransport, type TransportOptions } from '../transport/call-webhook.js';

const plugins = { mutating: 'MutatingAdmissionWebhook', validating: 'ValidatingAdmissionWebhook' } as const;

/** Transport of all calls, and of those for which there are no credentials. */
const common: TransportOptions = { resolve: [], keepConnections: true };

/**
 * Returns the calls of webhooks with the credentials that `kubeConfigFile` of their plugin's configuration has for their address. Source: apiserver
 * util/webhook/authentication.go.
 */
export function webhookCalls(configurations: ReadonlyMap<string, ValueMap> | undefined): CallWebhook {
  const anonymous = createTransport(common);
  const kubeconfigs = new Map(
    Object.entries(plugins).flatMap(([phase, plugin]): [string, Kubeconfig][] => {
      const file = stringAt(configurations?.get(plugin), 'kubeConfigFile');
      return file === '' ? [] : [[phase, readKubeconfig({ given: file, env: {}, cwd: '/' })]];
    }),
  );
  const transportFor = memoize((user: KubeconfigEntry) => transportOf(user));
  return (call, onStage) => {
    const kubeconfig = kubeconfigs.get(call.phase);
    const user = kubeconfig && userFor(kubeconfig, addressOf(call.url));
    return (user === undefined ? anonymous.callWebhook : transportFor(user))(call, onStage);
  };
}

/** `host:port` of a webhook's URL. */
function addressOf(url: string): string {
  const { host, port } = new URL(url);
  return port === '' ? `${host}:443` : host;
}

/** Returns the user for an address: by its name, by a name with a star for its first labels, by `*`, or of the current context. */
function userFor({ users, contexts, currentContext }: Kubeconfig, address: string): KubeconfigEntry | undefined {
  const found = namedFor(users, address) ?? (address.endsWith(':443') ? namedFor(users, address.slice(0, -':443'.length)) : undefined);
  return found ?? users.get('*') ?? users.get(stringAt(contexts.get(currentContext)?.settings, 'user'));
}

function namedFor(users: Kubeconfig['users'], name: string): KubeconfigEntry | undefined {
  const labels = name.split('.');
  const starred = labels.slice(1).map((_, i) => users.get(`*.${labels.slice(i + 1).join('.')}`));
  return users.get(name) ?? starred.find(entry => entry !== undefined);
}

/** A user that cannot be read fails its calls, not the start. */
function transportOf(user: KubeconfigEntry): CallWebhook {
  try {
    return createTransport({ ...common, ...credentialsOf(user) }).callWebhook;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const { message } = error;
    return () => Promise.resolve({ outcome: 'noClient', message });
  }
}

/** Source: client-go transport/transport.go, HTTPWrappersForConfig. */
function credentialsOf(user: KubeconfigEntry): TransportOptions {
  const text = (key: string): string | undefined => stringAt(user.settings, key) || undefined;
  if (mapAt(user.settings, 'exec') !== undefined) throw new StartError(`user ${quote(user.name)}: exec is not supported for webhooks`);
  const certificate = dataOrFile(user, 'client-certificate');
  const key = dataOrFile(user, 'client-key');
  const tokenFile = text('tokenFile');
  const token = text('token') ?? (tokenFile && read(user, tokenFile).trim());
  const name = text('username');
  if (name !== undefined && token !== undefined) throw new StartError('username/password or bearer token may be set, but not both');
  const basic = Buffer.from(`${name}:${text('password') ?? ''}`).toString('base64');
  return {
    ...(certificate === undefined || key === undefined ? {} : { clientCertificate: { certificate, key } }),
    ...(token === undefined ? {} : { bearerToken: token }),
    headers: [...(name === undefined ? [] : [['Authorization', `Basic ${basic}`] as const]), ...impersonationOf(user.settings)],
  };
}

/** Data in the entry takes precedence over a file. */
function dataOrFile(user: KubeconfigEntry, name: string): string | undefined {
  const data = stringAt(user.settings, `${name}-data`);
  if (data !== '') return Buffer.from(data, 'base64').toString('utf8');
  const file = stringAt(user.settings, name);
  return file === '' ? undefined : read(user, file);
}

function read(user: KubeconfigEntry, file: string): string {
  try {
    return readNamedFile(pathIn(user, file)).toString('utf8');
  } catch (error) {
    throw new StartError(`open ${file}: ${error instanceof Error ? systemReason(error) : String(error)}`);
  }
}
