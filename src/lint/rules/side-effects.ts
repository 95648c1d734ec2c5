import type { LintRule } from '../rule.js';

/** Side effects make every dry run fail. */
export const sideEffectsForbidDryRun: LintRule = {
  id: 'side-effects-forbid-dry-run',
  severity: 'error',
  reason: 'kubectl diff and --dry-run=server are rejected for everything that its rules match',
  fix: 'set sideEffects to None, or to NoneOnDryRun if the webhook respects request.dryRun',
  check: ({ webhooks }) =>
    webhooks
      .filter(({ sideEffects }) => sideEffects === 'Some' || sideEffects === 'Unknown')
      .map(webhook => ({ about: webhook, at: '/sideEffects', message: `sideEffects is ${webhook.sideEffects}` })),
};

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

/** A warning that the API server silently drops. */
export const warningOfSeveralLines: LintRule = {
  id: 'warning-of-several-lines',
  severity: 'warning',
  reason: 'a validation without a message warns with its expression, and the API server drops warnings with line breaks or tabs',
  fix: 'add a message to the validation',
  check: ({ policies = [] }) =>
    policies.flatMap(about => {
      const warns = about.bindings.some(({ validationActions }) => validationActions.includes('Warn'));
      const index = about.policy.validations.findIndex(
        ({ expression, message, messageExpression }) => message === '' && messageExpression === '' && /[\n\t\r]/.test(expression.trim()),
      );
      if (!warns || index < 0) return [];
      return [
        {
          about,
          at: `/spec/validations/${index}/expression`,
          message: `validation ${index + 1} has no message and a multi-line expression`,
        },
      ];
    }),
};
