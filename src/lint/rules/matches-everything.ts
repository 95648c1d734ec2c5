import { readableSelector } from '../reach.js';
import type { LintRule } from '../rule.js';

/** A rule matches every resource, without any restriction. */
export const matchesEverything: LintRule = {
  id: 'matches-everything',
  severity: 'warning',
  reason: 'it is also called for leases, events and token requests: it slows down the whole cluster and can stop it',
  fix: 'list the groups and resources that it needs',
  check: ({ webhooks, server }) =>
    webhooks.flatMap(webhook => {
      if (readableSelector(server, webhook.objectSelector).matches !== 'everything' || webhook.matchConditions.length > 0) return [];
      const index = webhook.rules.findIndex(rule => rule.apiGroups.includes('*') && rule.resources.some(isWide));
      const wide = webhook.rules[index]?.resources.find(isWide);
      if (wide === undefined) return [];
      return [{ about: webhook, at: `/rules/${index}/resources`, message: `a rule matches ${wide} of every group` }];
    }),
};

function isWide(resource: string): boolean {
  return resource === '*' || resource === '*/*';
}
