import { matchesRule } from '../apiserver/webhooks/rules.js';
import type { Webhook } from '../apiserver/webhooks/webhook.js';
import type { Value } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { type Selector, SelectorError, selectorOf } from '../kubernetes/label-selector.js';
import type { Storage } from '../kubernetes/storage.js';
import { admittedRequests, ruleMatches } from './requests.js';

/** Returns whether the rules match an operation on pods (or one of their subresources) in a namespace. */
export function asksAboutPods(webhook: Webhook, operation: string, subresource = ''): boolean {
  return ruleAboutPods(webhook, operation, subresource) !== undefined;
}

/** Returns the first rule that matches, as a JSON pointer into the webhook; undefined if none does. */
export function ruleAboutPods({ rules }: Webhook, operation: string, subresource = ''): string | undefined {
  const resource = { group: '', version: 'v1', resource: 'pods' };
  const index = rules.findIndex(rule => matchesRule(rule, { operation, resource, subresource, namespace: 'default' }));
  return index < 0 ? undefined : `/rules/${index}/resources`;
}

/** Returns whether the rules match any request for a built-in resource. */
export function asksAboutBuiltIn(storage: Storage, { rules, matchPolicy }: Webhook): boolean {
  const requests = admittedRequests(storage).filter(({ served, exemptFromWebhooks }) => !served.custom && !exemptFromWebhooks);
  return requests.some(request => rules.some(rule => ruleMatches(rule, request, matchPolicy)));
}

/** An invalid selector selects nothing here: the API server rejects it. */
export function readableSelector(server: ApiServer, value: Value): Selector {
  try {
    return selectorOf(server, value);
  } catch (error) {
    if (error instanceof SelectorError) return { matches: 'nothing' };
    throw error;
  }
}

/** Returns whether the webhook is called for every object that its rules match. */
export function hasNoExclusion(server: ApiServer, { namespaceSelector, objectSelector, matchConditions }: Webhook): boolean {
  return (
    readableSelector(server, namespaceSelector).matches === 'everything' &&
    readableSelector(server, objectSelector).matches === 'everything' &&
    matchConditions.length === 0
  );
}
