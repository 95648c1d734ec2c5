import { type StoredMetadata, stateOf } from '../../client/manifests/cluster-state.js';
import { readBaseObjects } from '../../cluster/reading/base-objects.js';
import type { ValueMap } from '../../go/value.js';
import { type ClusterState, serverOf } from '../../kubernetes/api-call.js';
import { type KubernetesMinor, selectServer } from '../../kubernetes/kubernetes-version.js';
import type { OpenCluster } from './opened-clusters.js';
import { withoutReplaced } from './with-definitions.js';

/** Parts of a state besides the objects of a cluster. */
export interface Given {
  /** Objects of files, which replace those of the cluster one by one. */
  readonly objects: readonly ValueMap[];
  readonly flags: readonly string[];
  readonly kubernetesVersion: KubernetesMinor;
  /** Reads webhook configurations; without them when the flags describe the webhook. */
  readonly withConfigurations: boolean;
}

/** Returns the state of a cluster. Objects that affect every call are read immediately, others on demand. Rejects with CliError. */
export async function stateInCluster(
  { client, source }: OpenCluster,
  { objects, flags, kubernetesVersion, withConfigurations }: Given,
  metadata: StoredMetadata,
): Promise<ClusterState> {
  selectServer(serverOf({ flags, kubernetesVersion }));
  const base = await readBaseObjects(client, source, { withConfigurations });
  return stateOf(withoutReplaced(objects, base), { flags, kubernetesVersion, presumesNamespaces: false, source }, metadata);
}
