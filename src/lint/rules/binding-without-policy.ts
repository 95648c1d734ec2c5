import type { LintRule } from '../rule.js';

/** A binding of a missing policy. */
export const bindingWithoutPolicy: LintRule = {
  id: 'binding-without-policy',
  severity: 'warning',
  reason: 'a binding of a policy that does not exist does nothing, and no error is reported',
  fix: 'correct spec.policyName, or add the policy',
  check: ({ bindings = [] }) =>
    bindings
      .filter(({ hasPolicy }) => !hasPolicy)
      .map(about => ({ about, at: '/spec/policyName', message: `there is no policy ${about.policyName} in these files` })),
};
