import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';

const group = 'admissionregistration.k8s.io';

/** Policies that change objects. Source: apiserver admission/plugin/policy/mutating/plugin.go. */
export const mutatingAdmissionPolicy: AdmissionPlugin = {
  name: 'MutatingAdmissionPolicy',
  operations: ['CREATE', 'UPDATE', 'CONNECT'],
  admit: (attributes, context) => (exist('MutatingAdmissionPolicy', context) ? mutate(attributes, context) : undefined),
};

/** Policies that refuse requests, warn or annotate. Source: apiserver admission/plugin/policy/validating/plugin.go. */
export const validatingAdmissionPolicy: AdmissionPlugin = {
  name: 'ValidatingAdmissionPolicy',
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  validate: (attributes, context) => (exist('ValidatingAdmissionPolicy', context) ? validate(attributes, context) : undefined),
};

/** Nothing of the expressions is loaded while there are no policies. */
function exist(kind: string, { storage }: AdmissionContext): boolean {
  return storage.list({ group, kind }).length > 0;
}

async function mutate(attributes: Attributes, context: AdmissionContext): Promise<void> {
  const { dispatchMutating } = await import('./policies/mutating.js');
  await dispatchMutating(attributes, context);
}

async function validate(attributes: Attributes, context: AdmissionContext): Promise<void> {
  const { dispatchValidating } = await import('./policies/validating.js');
  await dispatchValidating(attributes, context);
}
