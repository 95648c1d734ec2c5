import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { stateOf } from '../../src/client/manifests/cluster-state.js';
import { copyOf, type ValueMap } from '../../src/go/value.js';
import type { ClusterState } from '../../src/kubernetes/api-call.js';
import type { ApiServer } from '../../src/kubernetes/api-server.js';
import { kubernetesMinors } from '../../src/kubernetes/kubernetes-version.js';
import { defaultServerOptions } from '../../src/kubernetes/server-options.js';
import { isWebhookConfiguration } from '../../src/language-server/diagnostics/admission.js';
import type { PlaygroundInput } from './model.js';

/** Editors of what exists in the cluster. */
export const clusterEditors = ['configuration', 'definitions', 'policies'] as const;

/** Randomness and the clock of the page. */
export const metadata = { uid: (): string => crypto.randomUUID(), now: (): Date => new Date() };

/** Returns the API server of an input's version. */
export function serverOf({ version }: PlaygroundInput): ApiServer {
  return apiServers({ minor: kubernetesMinors.find(known => known === version) });
}

/** Returns the state of a cluster with objects. They become part of it. */
export function clusterWith(objects: readonly ValueMap[], server: ApiServer): ClusterState {
  return stateOf(objects, { server, options: defaultServerOptions, presumesNamespaces: true }, metadata);
}

/** Returns the state that the language server knows: copies of the objects, without the configurations of webhooks, which it does not call. */
export function clusterWithoutWebhooks(objects: readonly ValueMap[], server: ApiServer): ClusterState {
  const known = objects.filter(object => !isWebhookConfiguration(object));
  return clusterWith(
    known.map(object => copyOf(object) as ValueMap),
    server,
  );
}
