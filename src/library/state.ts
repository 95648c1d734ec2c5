import { readState, stateOf } from '../cli/input/state.js';
import { installApiServer } from '../cli/install.js';
import { stateFor } from './clusters.js';
import { stateFlags } from './flags-of-options.js';
import { librarySurroundings, objectsOf, withoutStdin } from './inputs.js';
import type { KubernetesObject, State, StateOptions } from './options.js';

/** A file, folder or pattern of manifests, or an object as data. */
export type StateSource = string | KubernetesObject;

/**
 * Reads what exists in a cluster: namespaces, definitions, stored objects, webhook configurations, as `--state` does. Texts are paths. Without
 * any source, namespaces that calls name are taken to exist. Rejects with CliError for what cannot be read, or is no object.
 */
export async function loadState(sources: StateSource | readonly StateSource[] = [], options: StateOptions = {}): Promise<State> {
  installApiServer();
  const given: readonly StateSource[] = isList(sources) ? sources : [sources];
  const paths = withoutStdin(given.filter(source => typeof source === 'string'));
  const flags = stateFlags(options);
  const surroundings = librarySurroundings(options.cwd);
  const read = await readState({ ...flags, state: paths }, surroundings);
  const objects = given.flatMap(source =>
    typeof source === 'string' ? [] : objectsOf(source, 'state').manifests.map(({ object }) => object),
  );
  const presumesNamespaces = given.length === 0;
  return stateFor(stateOf([...read.objects, ...objects], { flags, presumesNamespaces }, surroundings));
}

function isList(sources: StateSource | readonly StateSource[]): sources is readonly StateSource[] {
  return Array.isArray(sources);
}
