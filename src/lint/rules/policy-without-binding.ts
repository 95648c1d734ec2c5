import type { LintRule } from '../rule.js';

/** A policy that nothing puts into force. */
export const policyWithoutBinding: LintRule = {
  id: 'policy-without-binding',
  severity: 'warning',
  reason: 'a policy does nothing until a binding names it',
  fix: 'add a binding whose spec.policyName is the name of the policy',
  check: ({ policies = [] }) =>
    policies
      .filter(({ bindings }) => bindings.length === 0)
      .map(about => ({ about, at: '', message: 'no binding in these files names the policy' })),
};
