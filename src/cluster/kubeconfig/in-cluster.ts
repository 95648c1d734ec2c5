import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { joinHostPort } from '../../go/net/host-port.js';
import type { Value } from '../../go/value.js';
import type { Kubeconfig, KubeconfigEntry } from './kubeconfig.js';

/** Context of a pod's own service account. */
export const inClusterContext = 'in-cluster';

/** Folder in which the kubelet mounts the credentials of a pod's service account. */
export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Returns the configuration of a pod: the service account that is mounted, and the address of the API server in the environment. Undefined
 * outside a cluster. Source: client-go rest/config.go InClusterConfig, clientcmd/client_config.go inClusterClientConfig.
 */
export function inClusterConfig(env: Readonly<Record<string, string | undefined>>, folder: string): Kubeconfig | undefined {
  const [host, port] = [env['KUBERNETES_SERVICE_HOST'] ?? '', env['KUBERNETES_SERVICE_PORT'] ?? ''];
  const token = path.join(folder, 'token');
  if (host === '' || port === '' || statSync(token, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const server = `https://${joinHostPort(host, port)}`;
  const authority = path.join(folder, 'ca.crt');
  // Without it client-go trusts the roots of the system.
  const trust = mountedText(authority) === undefined ? [] : [['certificate-authority', authority] as const];
  const namespace = env['POD_NAMESPACE'] || mountedText(path.join(folder, 'namespace'))?.trim() || 'default';
  const entry = (settings: readonly (readonly [string, Value])[]): ReadonlyMap<string, KubeconfigEntry> =>
    new Map([[inClusterContext, { name: inClusterContext, settings: new Map(settings), file: token }]]);
  return {
    currentContext: inClusterContext,
    clusters: entry([['server', server], ...trust]),
    users: entry([['tokenFile', token]]),
    contexts: entry([
      ['cluster', inClusterContext],
      ['user', inClusterContext],
      ['namespace', namespace],
    ]),
    files: [folder],
  };
}

function mountedText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
