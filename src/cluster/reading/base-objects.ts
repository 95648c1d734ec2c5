import { stringAt, type ValueMap } from '../../go/value.js';
import { parseApiVersion } from '../../kubernetes/group-version.js';
import type { ObjectSource, WantedDefinition } from '../../kubernetes/object-source.js';
import type { ClusterClient } from '../http/cluster-client.js';
import { readDocument } from './read-objects.js';
import { configurationKinds, policyKinds, readKinds } from './whole-kinds.js';

/**
 * Reads the objects that affect every call: webhook configurations, policies and their bindings, and the definitions of their parameters.
 */
export async function readBaseObjects(
  client: ClusterClient,
  source: ObjectSource,
  { withConfigurations }: { readonly withConfigurations: boolean },
): Promise<ValueMap[]> {
  const objects = await readKinds(client, [...(withConfigurations ? configurationKinds : []), ...policyKinds]);
  return [...objects, ...(await source.definitionsOf(objects.flatMap(parameterKind)))];
}

/** Returns the version of the API server, `v1.36.3`. */
export async function readVersion(client: ClusterClient): Promise<string> {
  return stringAt(await readDocument(client, '/version'), 'gitVersion');
}

function parameterKind(object: ValueMap): WantedDefinition[] {
  const kind = stringAt(object, 'spec', 'paramKind', 'kind');
  const groupVersion = parseApiVersion(stringAt(object, 'spec', 'paramKind', 'apiVersion'));
  return kind === '' || groupVersion === undefined ? [] : [{ ...groupVersion, kind }];
}
