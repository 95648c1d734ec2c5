import type { ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { GroupKind } from '../../kubernetes/live-storage.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { ClusterClient } from '../http/cluster-client.js';
import { builtInResource } from './built-in-resource.js';
import { readList } from './read-objects.js';

const admission = 'admissionregistration.k8s.io';

export const configurationKinds: readonly GroupKind[] = [
  { group: admission, kind: 'MutatingWebhookConfiguration' },
  { group: admission, kind: 'ValidatingWebhookConfiguration' },
];

export const policyKinds: readonly GroupKind[] = ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'].flatMap(kind => [
  { group: admission, kind },
  { group: admission, kind: `${kind}Binding` },
]);

export const definitionKind: GroupKind = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' };
export const wholeNamespaces: GroupKind = { group: '', kind: 'Namespace' };

/** Reads all objects of built-in kinds in parallel, of one namespace or of all; none for kinds that are not served. Rejects with CliError. */
export async function readKinds(
  server: ApiServer,
  client: ClusterClient,
  kinds: readonly GroupKind[],
  namespace?: string,
): Promise<ValueMap[]> {
  const resources = kinds.map(value => builtInResource(server, value)).filter((resource): resource is Resource => resource !== undefined);
  return (await Promise.all(resources.map(resource => readList(client, resource, resource.namespaced ? { namespace } : {})))).flat();
}
