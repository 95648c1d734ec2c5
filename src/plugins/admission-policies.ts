import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { stringAt } from '../go/value.js';
import { addNote } from '../kubernetes/call-notes.js';

/** Policies in CEL are not run: those that exist are named. Source: apiserver admission/plugin/policy. */
export const mutatingAdmissionPolicy = naming('MutatingAdmissionPolicy');
export const validatingAdmissionPolicy = naming('ValidatingAdmissionPolicy');

function naming(kind: string): AdmissionPlugin {
  return {
    name: kind,
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    validate: (_, { storage, record }) => {
      for (const policy of storage.list({ group: 'admissionregistration.k8s.io', kind }))
        addNote(record, `${kind} ${stringAt(policy, 'metadata', 'name')} is not run: admission policies are not reproduced`);
    },
  };
}
