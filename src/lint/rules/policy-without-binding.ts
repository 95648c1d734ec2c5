import type { LintRule } from '../rule.js';

/** A policy without a binding. */
export const policyWithoutBinding: LintRule = {
  id: 'policy-without-binding',
  severity: 'warning',
  reason: 'a policy has no effect without a binding',
  fix: 'add a binding whose spec.policyName is the name of the policy',
  check: ({ policies = [] }) =>
    policies
      .filter(({ bindings }) => bindings.length === 0)
      .map(about => ({ about, at: '', message: 'no binding in these files refers to the policy' })),
};
