import type { ClusterClient } from '../../../cluster/http/cluster-client.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { KubernetesMinor } from '../../../kubernetes/kubernetes-version.js';
import type { ObjectSource } from '../../../kubernetes/object-source.js';
import type { Surroundings } from '../../shell/surroundings.js';

/** A cluster that a command reads. */
export interface OpenCluster {
  readonly client: ClusterClient;
  /** Returns its objects, which an API server of its version reads: the same for each call. */
  readonly source: (server: ApiServer) => ObjectSource;
  /** Returns the given minor, that of its API server, or the nearest supported one. Rejects with CliError where no API server answers. */
  readonly minor: (given?: KubernetesMinor) => Promise<KubernetesMinor>;
}

/** Clusters by the environment of a run of a command. */
const opened = new WeakMap<object, Map<string, OpenCluster>>();

/** Returns the clusters of a run by the flags that choose them. */
export function openedClusters(env: Surroundings['env']): Map<string, OpenCluster> {
  const known = opened.get(env) ?? new Map<string, OpenCluster>();
  opened.set(env, known);
  return known;
}

/** Clears the objects that were read, so that a later run reads them again. */
export async function forgetClusters({ env }: Pick<Surroundings, 'env'>): Promise<void> {
  const known = opened.get(env);
  opened.delete(env);
  for (const { client } of known?.values() ?? []) await client.close();
}
