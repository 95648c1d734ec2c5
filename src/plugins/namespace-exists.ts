import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { notFound } from '../kubernetes/status-errors.js';

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
