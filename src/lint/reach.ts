import { matchesRule } from '../apiserver/webhooks/rules.js';
import type { Webhook } from '../apiserver/webhooks/webhook.js';
import type { Value } from '../go/value.js';
import { type Labels, labelsOf, type Selector, SelectorError, selectorOf, selects } from '../kubernetes/label-selector.js';
import { builtInResources } from '../kubernetes/resource-table.js';
import type { Storage } from '../kubernetes/storage.js';

/** Do the rules match this operation on pods (or one of their subresources) in a namespace? */
export function asksAboutPods(webhook: Webhook, operation: string, subresource = ''): boolean {
  return ruleAboutPods(webhook, operation, subresource) !== undefined;
}

/** The place of the first rule that does, as a JSON pointer into the webhook; undefined when none does. */
export function ruleAboutPods({ rules }: Webhook, operation: string, subresource = ''): string | undefined {
  const resource = { group: '', version: 'v1', resource: 'pods' };
  const index = rules.findIndex(rule => matchesRule(rule, { operation, resource, subresource, namespace: 'default' }));
  return index < 0 ? undefined : `/rules/${index}/resources`;
}

/** Do the rules name anything that Kubernetes itself brings along? */
export function asksAboutBuiltIn({ rules }: Webhook): boolean {
  const groups = new Set(builtInResources('all').groups.map(({ group }) => group));
  return rules.some(rule => rule.apiGroups.some(group => group === '*' || groups.has(group)));
}

/** May the webhook be asked about objects in this namespace? Names alone decide where the files do not hold it. */
export function reachesNamespace({ namespaceSelector }: Webhook, name: string, storage: Storage): boolean {
  const found = storage.find({ group: '', kind: 'Namespace' }, '', name);
  const labels = new Map([...labelsOf(found), ['kubernetes.io/metadata.name', name]]);
  return selectsLabels(namespaceSelector, labels);
}

/** A selector that cannot be read selects nothing here: the API server refuses it. */
export function readableSelector(value: Value): Selector {
  try {
    return selectorOf(value);
  } catch (error) {
    if (error instanceof SelectorError) return { matches: 'nothing' };
    throw error;
  }
}

/** Does the webhook look at every object of what its rules name? */
export function hasNoExclusion({ namespaceSelector, objectSelector, matchConditions }: Webhook): boolean {
  return (
    readableSelector(namespaceSelector).matches === 'everything' &&
    readableSelector(objectSelector).matches === 'everything' &&
    matchConditions.length === 0
  );
}

function selectsLabels(value: Value, labels: Labels): boolean {
  return selects(readableSelector(value), labels);
}
