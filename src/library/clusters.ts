import { apiServers } from '../cli/work/api-servers/api-servers.js';
import { CliError } from '../client/cli-error.js';
import { stateOf } from '../client/manifests/cluster-state.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import { defaultServerOptions } from '../kubernetes/server-options.js';
import type { LibrarySurroundings } from './inputs.js';
import type { State } from './options.js';

/** Cluster states of States: an opaque handle for users. */
const clusters = new WeakMap<State, ClusterState>();

/** Returns the State of a cluster. */
export function stateFor(cluster: ClusterState): State {
  const state: State = Object.freeze({ size: cluster.objects.length });
  clusters.set(state, cluster);
  return state;
}

/** Returns the cluster of a State; without one, a new cluster. Throws CliError for values that `loadState` did not return. */
export function clusterOf(state: State | undefined, surroundings: LibrarySurroundings): ClusterState {
  if (state === undefined)
    return stateOf([], { server: apiServers(), options: defaultServerOptions, presumesNamespaces: true }, surroundings);
  const cluster = clusters.get(state);
  if (cluster !== undefined) return cluster;
  throw new CliError('usage', 'invalid option state: expected a State of loadState', { suggestions: ['pass state: await loadState(...)'] });
}
