import type { LintRule } from '../rule.js';

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
