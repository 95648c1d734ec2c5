import type { LintRule } from '../rule.js';

/** A condition that reads the object where there is none. */
export const conditionWithoutObject: LintRule = {
  id: 'condition-without-object',
  severity: 'warning',
  reason: 'on DELETE the object is null: reading a field of it is an error, which refuses the request with failurePolicy Fail',
  fix: "start the condition with request.operation == 'DELETE' || ..., or read oldObject",
  check: ({ webhooks }) =>
    webhooks
      .filter(webhook => webhook.rules.some(rule => rule.operations.some(operation => operation === '*' || operation === 'DELETE')))
      .flatMap(webhook => {
        const risky = webhook.matchConditions.find(({ expression }) => /(?<![\w.])object\./.test(expression) && !guarded.test(expression));
        return risky === undefined ? [] : [{ webhook, message: `the condition ${risky.name} reads the object, also on DELETE` }];
      }),
};

/** The expression asks for the operation or for null, or reads what may be missing. */
const guarded = /request\.operation|(?<![\w.])object\s*[!=]=\s*null|has\(object\./;
