import { asksAboutBuiltIn, hasNoExclusion } from '../reach.js';
import type { LintRule } from '../rule.js';

/** A required webhook intercepts everything. A webhook for its own custom resources may. */
export const failWithoutExclusion: LintRule = {
  id: 'fail-without-exclusion',
  severity: 'info',
  reason: 'while it is down, nothing that its rules match can be changed, not even to repair it',
  fix: 'exclude some objects with a namespaceSelector, an objectSelector or a match condition',
  check: ({ webhooks, server }) =>
    webhooks
      .filter(webhook => webhook.failurePolicy === 'Fail' && asksAboutBuiltIn(server, webhook) && hasNoExclusion(server, webhook))
      .map(webhook => ({ about: webhook, at: '/failurePolicy', message: 'failurePolicy is Fail, and nothing is excluded' })),
};
