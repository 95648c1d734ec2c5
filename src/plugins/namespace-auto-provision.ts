import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { isMap, toValue } from '../go/value.js';
import { addNote } from '../kubernetes/call-notes.js';
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
