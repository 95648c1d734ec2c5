import type { Webhook } from '../apiserver/webhooks/webhook.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { type Requirement, type Selector, selects } from '../kubernetes/label-selector.js';
import { readableSelector } from './reach.js';

/** Returns whether the selectors of all these webhooks can select the same object in one namespace. */
export function canMeet(server: ApiServer, webhooks: readonly Webhook[]): boolean {
  return (
    isSatisfiable(webhooks.map(webhook => readableSelector(server, webhook.namespaceSelector))) &&
    isSatisfiable(webhooks.map(webhook => readableSelector(server, webhook.objectSelector)))
  );
}

/** Keys are independent of each other: each needs a value, or must be absent. */
function isSatisfiable(selectors: readonly Selector[]): boolean {
  if (selectors.some(selector => selector.matches === 'nothing')) return false;
  const requirements = selectors.flatMap(selector => (selector.matches === 'requirements' ? selector.requirements : []));
  return [...new Set(requirements.map(({ key }) => key))].every(key => hasValue(requirements.filter(one => one.key === key)));
}

function hasValue(requirements: readonly Requirement[]): boolean {
  const selector: Selector = { matches: 'requirements', requirements };
  const key = requirements[0]?.key ?? '';
  // Label values have no spaces: a space represents all values that no selector names.
  const candidates = [...requirements.flatMap(({ values }) => values), ' '];
  return selects(selector, new Map()) || candidates.some(value => selects(selector, new Map([[key, value]])));
}
