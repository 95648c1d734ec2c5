import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { nameInRefusal } from '../apiserver/admission/name-in-refusal.js';
import { isMap, stringAt, toValue } from '../go/value.js';
import { addNote } from '../kubernetes/call-notes.js';
import { StatusError } from '../kubernetes/status.js';
import { forbidden, notFound } from '../kubernetes/status-errors.js';
import { timestampOf } from '../kubernetes/timestamp.js';

/**
 * NamespaceAutoProvision: creates the namespace of a new object. That is a separate call, for which no webhooks are called here. Source:
 * kubernetes plugin/pkg/admission/namespace/autoprovision.
 */
export const namespaceAutoProvision: AdmissionPlugin = {
  name: 'NamespaceAutoProvision',
  operations: ['CREATE'],
  admit: ({ namespace, kind, dryRun }, { storage, state, effects, record }) => {
    if (dryRun || namespace === '' || (kind.group === '' && kind.kind === 'Namespace')) return;
    if (storage.find({ group: '', kind: 'Namespace' }, '', namespace) !== undefined) return;
    const made = toValue({
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: {
        name: namespace,
        uid: effects.uid(),
        resourceVersion: '1',
        creationTimestamp: timestampOf(effects.now()),
        labels: { 'kubernetes.io/metadata.name': namespace },
      },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    if (!isMap(made)) return;
    if (state.live === undefined) storage.add(made);
    else state.live.create(made);
    addNote(record, `namespace ${namespace} is created by NamespaceAutoProvision; webhooks are not called for that`);
  },
};

/**
 * NamespaceExists: refuses any operation in a missing namespace, deletions included. Source: kubernetes
 * plugin/pkg/admission/namespace/exists.
 */
export const namespaceExists: AdmissionPlugin = {
  name: 'NamespaceExists',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  validate: ({ namespace, kind }, { storage, state }) => {
    if (namespace === '' || (kind.group === '' && kind.kind === 'Namespace') || state.presumesNamespaces) return;
    if (storage.find({ group: '', kind: 'Namespace' }, '', namespace) === undefined)
      throw notFound({ group: '', resource: 'namespaces' }, namespace);
  },
};

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
