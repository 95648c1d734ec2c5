import type { LintRule } from '../rule.js';

/** A rule for every resource there is. */
export const matchesEverything: LintRule = {
  id: 'matches-everything',
  severity: 'warning',
  reason: 'leases, events and token requests pass it too: it slows down all of the cluster and can stop it',
  fix: 'name the groups and resources it is about',
  check: ({ webhooks }) =>
    webhooks.flatMap(webhook => {
      const wide = webhook.rules.find(rule => rule.apiGroups.includes('*') && rule.resources.some(r => r === '*' || r === '*/*'));
      return wide === undefined ? [] : [{ webhook, message: `a rule matches ${wide.resources.join(', ')} of every group` }];
    }),
};
