import path from 'node:path';
import { issueServingPair } from '../../src/certificates/issue.js';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { allowWithoutSending } from '../../src/client/run/allowing-webhook.js';
import { isMap, toValue } from '../../src/go/value.js';
import { defaultServerOptions } from '../../src/kubernetes/server-options.js';
import {
  type AnsweredRequest,
  type LocalServerOptions,
  type RunningApiServer,
  startApiServer,
} from '../../src/local-apiserver/start-server.js';
import { createTransport } from '../../src/transport/call-webhook.js';
import { apiServers } from './server.js';
import { temporaryFolder } from './temporary-folder.js';

/** An API server of this process that commands take for a cluster. */
export interface LocalCluster {
  /** Path of a kubeconfig with the contexts `local` (administrator), `jane` (no rights) and `stranger` (unknown token). */
  readonly kubeconfig: string;
  readonly folder: string;
  readonly server: RunningApiServer;
  readonly ca: string;
  /** Requests since the last call. */
  readonly takeRequests: () => string[];
  readonly close: () => Promise<void>;
}

/** An API server of this process, and the CA of its certificate. */
export interface LocalServer {
  readonly server: RunningApiServer;
  readonly ca: string;
}

/** Starts an API server for these users, by default without more objects than every API server has, and without calls of webhooks. */
export async function startLocalServer(options: Partial<LocalServerOptions> & Pick<LocalServerOptions, 'users'>): Promise<LocalServer> {
  const pair = await issueServingPair({ dns: [], ips: ['127.0.0.1'] }, new Date());
  const server = await startApiServer({
    ...{ server: apiServers(), host: '127.0.0.1', port: 0, pair, objects: [], options: defaultServerOptions },
    effects: () => effectsFor(allowWithoutSending),
    ...options,
  });
  return { server, ca: pair.ca };
}

/** More of a cluster. */
interface ClusterParts {
  /** Another API server. */
  readonly server?: LocalServerOptions['server'];
  /** Users without rights, each with a context of this name. */
  readonly users?: readonly string[];
  /** PEM of the CA for client certificates. */
  readonly clientCa?: string;
  /** Calls webhooks by service at this address; otherwise they are not called. */
  readonly webhooksAt?: { readonly host: string; readonly port: number };
}

/** Starts a cluster with objects, besides those of every API server; ports of pods lead to `forwards`. */
export async function startLocalCluster(
  objects: readonly object[],
  forwards?: LocalServerOptions['forwards'],
  { server: apiServer, users = [], webhooksAt, clientCa }: ClusterParts = {},
): Promise<LocalCluster> {
  const others = ['jane', ...users];
  const transport = createTransport();
  const answered: AnsweredRequest[] = [];
  const { server, ca } = await startLocalServer({
    forwards,
    clientCa,
    ...(apiServer === undefined ? {} : { server: apiServer }),
    ...(webhooksAt === undefined ? {} : { effects: () => ({ ...effectsFor(transport.callWebhook), serviceAddress: () => webhooksAt }) }),
    onAnswered: request => answered.push(request),
    objects: objects.map(toValue).filter(isMap),
    users: [
      { token: 'admin-token', username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      ...others.map(name => ({ token: `${name}-token`, username: name, groups: ['system:authenticated'] })),
    ],
  });
  const { folder, remove } = temporaryFolder({
    kubeconfig: kubeconfigText({
      server: server.url,
      ca,
      users: { local: 'admin-token', stranger: 'nothing', ...Object.fromEntries(others.map(name => [name, `${name}-token`])) },
    }),
  });
  return {
    ...{ kubeconfig: path.join(folder, 'kubeconfig'), folder, server, ca },
    takeRequests: () => answered.splice(0).map(({ method, path, status }) => `${method} ${path} ${status}`),
    close: async () => {
      await server.close();
      await transport.close();
      remove();
    },
  };
}

/** Returns a kubeconfig with a context for every user with a token. */
export function kubeconfigText(of: {
  readonly server: string;
  readonly ca: string;
  readonly users: Readonly<Record<string, string>>;
}): string {
  const names = Object.keys(of.users);
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': names[0],
    clusters: [{ name: 'c', cluster: { server: of.server, 'certificate-authority-data': Buffer.from(of.ca).toString('base64') } }],
    users: names.map(name => ({ name, user: { token: of.users[name] } })),
    contexts: names.map(name => ({ name, context: { cluster: 'c', user: name } })),
  });
}
