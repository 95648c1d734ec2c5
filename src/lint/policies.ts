import { isMap, stringAt } from '../go/value.js';
import type { Storage } from '../kubernetes/storage.js';
import { policyHooks, unboundPolicies } from '../plugins/policies/policy.js';
import type { LintedBinding, LintedPolicy } from './rule.js';

const group = 'admissionregistration.k8s.io';
const phases = ['validating', 'mutating'] as const;
const kinds = { validating: 'ValidatingAdmissionPolicy', mutating: 'MutatingAdmissionPolicy' };

/** Returns validating and mutating policies with their bindings. */
export function lintedPolicies(storage: Storage): LintedPolicy[] {
  return phases.flatMap(phase => {
    const bound = policyHooks(storage, phase);
    const unbound = unboundPolicies(storage, phase).map(policy => ({ policy, bindings: [] }));
    return [...bound, ...unbound].flatMap(({ policy, bindings }) => {
      const object = storage.find({ group, kind: kinds[phase] }, '', policy.name);
      return isMap(object) ? [{ name: policy.name, place: { object, pointer: '' }, policy, bindings }] : [];
    });
  });
}

/** Returns the bindings of validating and mutating policies. */
export function lintedBindings(storage: Storage): LintedBinding[] {
  return phases.flatMap(phase =>
    storage.list({ group, kind: `${kinds[phase]}Binding` }).map(object => {
      const policyName = stringAt(object, 'spec', 'policyName');
      const hasPolicy = storage.find({ group, kind: kinds[phase] }, '', policyName) !== undefined;
      return { name: stringAt(object, 'metadata', 'name'), place: { object, pointer: '' }, policyName, hasPolicy };
    }),
  );
}
