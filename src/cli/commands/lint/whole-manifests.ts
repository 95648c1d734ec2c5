import { CliError } from '../../../client/cli-error.js';
import type { LocatedManifest } from '../../../client/manifests/manifests.js';
import { configurationKinds, definitionKind, policyKinds, readKinds, wholeNamespaces } from '../../../cluster/reading/whole-kinds.js';
import { stringAt, type ValueMap } from '../../../go/value.js';
import { apiServers } from '../../work/api-servers/api-servers.js';
import type { ClusterFlags } from '../../work/cluster/cluster-flags.js';
import { type ClusterSurroundings, openCluster } from '../../work/cluster/open-cluster.js';
import { withoutReplaced } from '../../work/cluster/with-definitions.js';

/** Appends the cluster's objects that `lint` checks to manifests; manifests replace objects with the same name. Rejects with CliError. */
export async function appendManifestsInCluster(
  flags: ClusterFlags,
  given: readonly (LocatedManifest | CliError)[],
  surroundings: ClusterSurroundings,
): Promise<(LocatedManifest | CliError)[]> {
  const { client, minor } = openCluster(flags, surroundings);
  const read = await readKinds(apiServers({ minor: await minor() }), client, [
    ...configurationKinds,
    ...policyKinds,
    definitionKind,
    wholeNamespaces,
  ]);
  const own = given.flatMap(entry => (entry instanceof CliError ? [] : [entry.object]));
  return [...given, ...withoutReplaced(own, read).slice(own.length).map(locatedInCluster)];
}

/** The location of a cluster's object is its name. */
function locatedInCluster(object: ValueMap): LocatedManifest {
  const location = { file: `${stringAt(object, 'kind').toLowerCase()}/${stringAt(object, 'metadata', 'name')}` };
  return { object, source: location.file, location, locate: () => location };
}
