import { serverFlags } from '../cli/input/server-flags.js';
import { CliError } from '../client/cli-error.js';
import { stateOf } from '../client/manifests/cluster-state.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import type { LibrarySurroundings } from './inputs.js';
import type { State } from './options.js';

/** What is behind a State: nothing that a consumer could take apart, or would have to know. */
const clusters = new WeakMap<State, ClusterState>();

/** A State that stands for a cluster. */
export function stateFor(cluster: ClusterState): State {
  const state: State = Object.freeze({ size: cluster.objects.length });
  clusters.set(state, cluster);
  return state;
}

/** The cluster that a State stands for; without one, what every cluster has. Throws CliError for what `loadState` did not make. */
export function clusterOf(state: State | undefined, surroundings: LibrarySurroundings): ClusterState {
  if (state === undefined) return stateOf([], { flags: serverFlags({}), presumesNamespaces: true }, surroundings);
  const cluster = clusters.get(state);
  if (cluster !== undefined) return cluster;
  throw new CliError('usage', 'the option state is not what loadState gives', { suggestions: ['pass state: await loadState(...)'] });
}
