import { type StoredMetadata, stateOf } from '../../../client/manifests/cluster-state.js';
import { readBaseObjects } from '../../../cluster/reading/base-objects.js';
import type { ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { ApiServerOptions } from '../../../kubernetes/server-options.js';
import type { OpenCluster } from './opened-clusters.js';
import { withoutReplaced } from './with-definitions.js';

/** Parts of a state besides the objects of a cluster. */
export interface Given {
  /** Objects of files, which replace those of the cluster one by one. */
  readonly objects: readonly ValueMap[];
  readonly options: ApiServerOptions;
  readonly server: ApiServer;
  /** Reads webhook configurations; without them when the flags describe the webhook. */
  readonly withConfigurations: boolean;
}

/** Returns the state of a cluster. Objects that affect every call are read immediately, others on demand. Rejects with CliError. */
export async function readStateInCluster(
  { client, source }: OpenCluster,
  { objects, options, server, withConfigurations }: Given,
  metadata: StoredMetadata,
): Promise<ClusterState> {
  const objectsOf = source(server);
  const base = await readBaseObjects(server, client, objectsOf, { withConfigurations });
  return stateOf(withoutReplaced(objects, base), { options, server, presumesNamespaces: false, source: objectsOf }, metadata);
}
