import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { lazy } from '../kubernetes/memoize.js';

const group = 'admissionregistration.k8s.io';

/** MutatingAdmissionPolicy: applies policies that change objects. Source: apiserver admission/plugin/policy/mutating/plugin.go. */
export const mutatingAdmissionPolicy: AdmissionPlugin = {
  name: 'MutatingAdmissionPolicy',
  operations: ['CREATE', 'UPDATE', 'CONNECT'],
  admit: (attributes, context) => (exist('MutatingAdmissionPolicy', context) ? mutate(attributes, context) : undefined),
};

/**
 * ValidatingAdmissionPolicy: applies policies that refuse requests, warn or annotate. Source: apiserver
 * admission/plugin/policy/validating/plugin.go.
 */
export const validatingAdmissionPolicy: AdmissionPlugin = {
  name: 'ValidatingAdmissionPolicy',
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  validate: (attributes, context) => (exist('ValidatingAdmissionPolicy', context) ? validate(attributes, context) : undefined),
};

/** Reports whether there are policies; without any the expression evaluator is not loaded. */
function exist(kind: string, { storage }: AdmissionContext): boolean {
  return storage.list({ group, kind }).length > 0;
}

/** Every import takes time, also of a module that is loaded. */
const mutating = lazy(() => import('./policies/mutating.js'));
const validating = lazy(() => import('./policies/validating.js'));

async function mutate(attributes: Attributes, context: AdmissionContext): Promise<void> {
  const { dispatchMutating } = await mutating();
  await dispatchMutating(attributes, context);
}

async function validate(attributes: Attributes, context: AdmissionContext): Promise<void> {
  const { dispatchValidating } = await validating();
  await dispatchValidating(attributes, context);
}
