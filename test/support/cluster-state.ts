import type { ClusterState } from '../../src/kubernetes/api-call.js';
import { defaultServerOptions } from '../../src/kubernetes/server-options.js';
import { server } from './server.js';

/** The state that a test is about: what it does not name is a cluster without objects, of the version of the recordings, whose namespaces exist. */
export function clusterStateWith(members: Partial<ClusterState> = {}): ClusterState {
  return { objects: [], server, presumesNamespaces: true, options: defaultServerOptions, ...members };
}
