import type { LintRule } from '../rule.js';

/** A rule for every resource there is. */
export const matchesEverything: LintRule = {
  id: 'matches-everything',
  severity: 'warning',
  reason: 'leases, events and token requests pass it too: it slows down all of the cluster and can stop it',
  fix: 'name the groups and resources it is about',
  check: ({ webhooks }) =>
    webhooks.flatMap(webhook => {
      const index = webhook.rules.findIndex(rule => rule.apiGroups.includes('*') && rule.resources.some(r => r === '*' || r === '*/*'));
      const wide = webhook.rules[index];
      if (wide === undefined) return [];
      return [{ about: webhook, at: `/rules/${index}/resources`, message: `a rule matches ${wide.resources.join(', ')} of every group` }];
    }),
};
