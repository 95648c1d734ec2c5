import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { nameInRefusal } from '../apiserver/admission/name-in-refusal.js';
import { stringAt } from '../go/value.js';
import { StatusError } from '../kubernetes/status.js';
import { forbidden, notFound } from '../kubernetes/status-errors.js';

const immortal = new Set(['default', 'kube-system', 'kube-public']);

/**
 * NamespaceLifecycle: refuses creations in a missing or terminating namespace. Source: apiserver plugin/namespace/lifecycle/admission.go.
 */
export const namespaceLifecycle: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  admit: (attributes, context) => {
    const { operation, resource, namespace, name } = attributes;
    const isNamespace = resource.group === '' && resource.resource === 'namespaces';
    if (operation === 'DELETE' && isNamespace && immortal.has(name)) throw forbidden(resource, name, 'this namespace may not be deleted');
    if (namespace === '' || isNamespace || operation === 'DELETE' || resource.resource === 'localsubjectaccessreviews') return;
    checkNamespace(attributes, context);
  },
};

function checkNamespace(attributes: Attributes, { storage, state }: AdmissionContext): void {
  const { namespace, operation } = attributes;
  const found = storage.find({ group: '', kind: 'Namespace' }, '', namespace);
  if (found === undefined && !state.presumesNamespaces) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  if (operation === 'CREATE' && stringAt(found, 'status', 'phase') === 'Terminating') throw terminating(attributes);
}

function terminating(attributes: Attributes): StatusError {
  const { namespace, resource } = attributes;
  const { status } = forbidden(
    resource,
    nameInRefusal(attributes),
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' };
  return new StatusError({ ...status, details: { ...status.details, causes: [cause] } });
}
