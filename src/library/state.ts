import { readState } from '../cli/work/input/state.js';
import { stateOf } from '../client/manifests/cluster-state.js';
import { stateFor } from './clusters.js';
import { librarySurroundings, objectsOf, withoutStdin } from './inputs.js';
import type { KubernetesObject, State, StateOptions } from './options.js';
import { readStateOptions } from './read-options.js';

/** A file, folder or glob of manifests, or an object as data. */
export type StateSource = string | KubernetesObject;

/**
 * Reads objects that exist in a cluster, as `--state` does: namespaces, definitions, stored objects, webhook configurations. Texts are paths. Without
 * any source, namespaces in calls are assumed to exist. Rejects with CliError for unreadable files and invalid objects.
 */
export async function loadState(sources: StateSource | readonly StateSource[] = [], options: StateOptions = {}): Promise<State> {
  const given: readonly StateSource[] = isList(sources) ? sources : [sources];
  const paths = withoutStdin(given.filter(source => typeof source === 'string'));
  const flags = readStateOptions(options);
  const surroundings = librarySurroundings(options.cwd);
  const read = await readState({ ...flags, state: paths }, surroundings);
  const objects = given.flatMap(source =>
    typeof source === 'string' ? [] : objectsOf(source, 'state').manifests.map(({ object }) => object),
  );
  const presumesNamespaces = given.length === 0;
  return stateFor(stateOf([...read.objects, ...objects], { options: read.options, server: read.server, presumesNamespaces }, surroundings));
}

function isList(sources: StateSource | readonly StateSource[]): sources is readonly StateSource[] {
  return Array.isArray(sources);
}
