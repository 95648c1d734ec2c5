import type { LintRule } from '../rule.js';

/** A mutation that increments a value and may be reinvoked after its own change. */
export const mutationRunsTwice: LintRule = {
  id: 'mutation-runs-twice',
  severity: 'warning',
  reason: 'with reinvocationPolicy IfNeeded a policy that changed anything runs again, even if it is the only one',
  fix: 'set reinvocationPolicy: Never, or make the expression idempotent',
  check: ({ policies = [] }) =>
    policies.flatMap(about => {
      const { reinvocationPolicy, mutations } = about.policy;
      const index = mutations.findIndex(({ expression }) => computed.test(expression));
      if (reinvocationPolicy !== 'IfNeeded' || index < 0) return [];
      return [{ about, at: `/spec/mutations/${index}`, message: `mutation ${index + 1} computes a number from the object` }];
    }),
};

/** `object.spec.replicas + 1`: a field, and arithmetic with a number. */
const computed = /\bobject(?:\.\w+)+\s*[-+*/%]\s*\d|\d\s*[-+*/%]\s*object\.\w/;
