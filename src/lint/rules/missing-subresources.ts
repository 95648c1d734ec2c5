import { asksAboutPods, ruleAboutPods } from '../reach.js';
import type { LintRule } from '../rule.js';

/** Pods are checked, but not the containers that can be added later. */
export const missingSubresources: LintRule = {
  id: 'missing-subresources',
  severity: 'warning',
  reason: 'containers can be added to a running pod through pods/ephemeralcontainers, bypassing this webhook',
  fix: 'add pods/ephemeralcontainers to the resources, with UPDATE',
  check: ({ webhooks }) =>
    webhooks
      .filter(webhook => webhook.phase === 'validating' && asksAboutPods(webhook, 'CREATE'))
      .filter(webhook => !asksAboutPods(webhook, 'UPDATE', 'ephemeralcontainers'))
      .map(webhook => ({
        about: webhook,
        at: ruleAboutPods(webhook, 'CREATE') ?? '',
        message: 'it validates pods, but not pods/ephemeralcontainers',
      })),
};
