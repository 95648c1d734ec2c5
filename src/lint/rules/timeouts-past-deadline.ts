import type { Webhook } from '../../apiserver/webhooks/webhook.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { Requirement, Selector } from '../../kubernetes/label-selector.js';
import { selects } from '../../kubernetes/label-selector.js';
import { asksAboutPods, readableSelector } from '../reach.js';
import type { LintedWebhook, LintRule } from '../rule.js';

/** Timeout of a request in the API server, in seconds. */
const deadlineSeconds = 34;

/** Mutating webhooks for one pod may together take longer than the request's timeout. */
export const timeoutsPastDeadline: LintRule = {
  id: 'timeouts-past-deadline',
  severity: 'warning',
  reason:
    'mutating webhooks are called one after another: if several hang, the request times out before they do, whatever their failurePolicy',
  fix: 'use shorter timeouts: healthy webhooks answer within a few seconds',
  check: ({ webhooks, server }) => {
    const asked = webhooks.filter(webhook => webhook.phase === 'mutating' && asksAboutPods(webhook, 'CREATE'));
    const sums = asked.map((about, i) => ({ about, seconds: secondsOf(server, about, asked.slice(0, i)) }));
    const first = sums.find(({ seconds }) => seconds > deadlineSeconds);
    if (first === undefined) return [];
    const message = `with it, the timeouts of the mutating webhooks for one pod add up to ${first.seconds} s; a request has ${deadlineSeconds} s`;
    return [{ about: first.about, at: '/timeoutSeconds', message }];
  },
};

/** Returns the timeouts of the webhook and of earlier ones that may be called for the same pod. */
function secondsOf(server: ApiServer, webhook: LintedWebhook, earlier: readonly LintedWebhook[]): number {
  const together = [webhook];
  for (const one of earlier) if (canMeet(server, [...together, one])) together.push(one);
  return together.reduce((sum, { timeoutSeconds }) => sum + timeoutSeconds, 0);
}

/** Returns whether the selectors of all these webhooks can select the same object in one namespace. */
function canMeet(server: ApiServer, webhooks: readonly Webhook[]): boolean {
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
