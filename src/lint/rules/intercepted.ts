import { matchesRule } from '../../apiserver/webhooks/rules.js';
import type { Rule } from '../../apiserver/webhooks/webhook.js';
import { asksAboutBuiltIn, asksAboutPods, hasNoExclusion, readableSelector, ruleAboutPods } from '../reach.js';
import type { LintedWebhook, LintRule } from '../rule.js';

/** A required webhook intercepts everything. A webhook for its own custom resources may. */
export const failWithoutExclusion: LintRule = {
  id: 'fail-without-exclusion',
  severity: 'info',
  reason: 'while it is down, nothing that its rules match can be changed, not even to repair it',
  fix: 'exclude some objects with a namespaceSelector, an objectSelector or a match condition',
  check: ({ webhooks, server, storage }) =>
    webhooks
      .filter(webhook => webhook.failurePolicy === 'Fail' && hasNoExclusion(server, webhook) && asksAboutBuiltIn(storage, webhook))
      .map(webhook => ({ about: webhook, at: '/failurePolicy', message: 'failurePolicy is Fail, and nothing is excluded' })),
};

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

/** Pods are checked, but not the containers that can be added later. */
export const missingSubresources: LintRule = {
  id: 'missing-subresources',
  severity: 'warning',
  reason: 'a webhook that checks containers misses those added to a running pod through pods/ephemeralcontainers',
  fix: 'add pods/ephemeralcontainers to the resources, with UPDATE, if the webhook checks containers',
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
