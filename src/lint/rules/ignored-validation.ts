import type { LintRule } from '../rule.js';

/** A check that is passed by taking it down. */
export const ignoredValidation: LintRule = {
  id: 'ignored-validation',
  severity: 'info',
  reason: 'what it forbids is allowed while it does not answer, and nobody is told but the audit log',
  fix: 'use failurePolicy Fail if anything depends on the check',
  check: ({ webhooks }) =>
    webhooks
      .filter(webhook => webhook.phase === 'validating' && webhook.failurePolicy === 'Ignore')
      .map(webhook => ({ about: webhook, at: '/failurePolicy', message: 'failurePolicy is Ignore on a validating webhook' })),
};
