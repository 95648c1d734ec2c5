import { matchesRule } from '../../apiserver/webhooks/rules.js';
import type { Rule } from '../../apiserver/webhooks/webhook.js';
import type { LintedWebhook, LintRule } from '../rule.js';

/** An object is protected against changes, but not against deletion and recreation. */
export const missingDelete: LintRule = {
  id: 'missing-delete',
  severity: 'info',
  reason: 'objects that cannot be changed can still be deleted',
  fix: 'add DELETE to the operations if the webhook protects existing objects',
  check: ({ webhooks }) =>
    webhooks
      .filter(({ phase, rules }) => phase === 'validating' && !rules.some(asksOn('CREATE')))
      .flatMap(webhook => {
        const index = webhook.rules.findIndex(rule => asksOn('UPDATE')(rule) && isDeletable(rule) && !webhooks.some(covers(rule)));
        return index < 0
          ? []
          : [{ about: webhook, at: `/rules/${index}/operations`, message: 'it is called for UPDATE, but not for DELETE' }];
      }),
};

function asksOn(operation: string): (rule: Rule) => boolean {
  return ({ operations }) => operations.includes('*') || operations.includes(operation);
}

/** Subresources cannot be deleted. */
function isDeletable({ resources }: Rule): boolean {
  return resources.some(resource => !resource.includes('/') || resource.endsWith('/*'));
}

/** Returns whether a webhook is called for the deletion of the rule's first resource. */
function covers({ apiGroups, apiVersions, resources }: Rule): (webhook: LintedWebhook) => boolean {
  const resource = { group: apiGroups[0] ?? '', version: apiVersions[0] ?? '', resource: resources[0]?.split('/', 1)[0] ?? '' };
  return ({ phase, rules }) =>
    phase === 'validating' &&
    rules.some(rule => ['', 'default'].some(namespace => matchesRule(rule, { operation: 'DELETE', resource, subresource: '', namespace })));
}
