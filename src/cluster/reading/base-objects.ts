import { CliError } from '../../client/cli-error.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { parseApiVersion } from '../../kubernetes/group-version.js';
import type { ObjectSource, WantedDefinition } from '../../kubernetes/object-source.js';
import type { ClusterClient } from '../http/cluster-client.js';
import { withoutCredentials } from '../http/cluster-errors.js';
import { readDocument } from './read-objects.js';
import { configurationKinds, policyKinds, readKinds } from './whole-kinds.js';

/**
 * Reads the objects that affect every call: webhook configurations, policies and their bindings, and the definitions of their parameters.
 */
export async function readBaseObjects(
  server: ApiServer,
  client: ClusterClient,
  source: ObjectSource,
  { withConfigurations }: { readonly withConfigurations: boolean },
): Promise<ValueMap[]> {
  const objects = await readKinds(server, client, [...(withConfigurations ? configurationKinds : []), ...policyKinds]);
  return [...objects, ...(await source.definitionsOf(objects.flatMap(parameterKind)))];
}

/** Returns the version of the API server, `v1.36.3`. Rejects with CliError if the server is not an API server, which would otherwise look like an empty cluster. */
export async function readVersion(client: ClusterClient): Promise<string> {
  const version = stringAt(await readDocument(client, '/version'), 'gitVersion');
  if (version !== '') return version;
  throw new CliError(
    'cluster-refused',
    `${withoutCredentials(client.server)} of context ${JSON.stringify(client.context)} is not the address of an API server`,
    {
      suggestions: ['check the server of the cluster in the kubeconfig'],
    },
  );
}

function parameterKind(object: ValueMap): WantedDefinition[] {
  const kind = stringAt(object, 'spec', 'paramKind', 'kind');
  const groupVersion = parseApiVersion(stringAt(object, 'spec', 'paramKind', 'apiVersion'));
  return kind === '' || groupVersion === undefined ? [] : [{ ...groupVersion, kind }];
}
