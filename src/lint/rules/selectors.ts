import { listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import { labelsOf, selects } from '../../kubernetes/label-selector.js';
import { readableSelector } from '../reach.js';
import type { LintedWebhook, LintRule } from '../rule.js';

/** A namespaceSelector uses a label that namespaces do not have by default. */
export const selectorOnName: LintRule = {
  id: 'selector-on-name',
  severity: 'warning',
  reason: 'namespaces do not have the label name by default: a requirement on it selects none of them, an exclusion excludes none',
  fix: 'use kubernetes.io/metadata.name, which the API server sets on every namespace',
  check: ({ webhooks, storage }) => {
    const isSet = storage.list({ group: '', kind: 'Namespace' }).some(namespace => labelsOf(namespace).has('name'));
    if (isSet) return [];
    return webhooks.flatMap(webhook => {
      const at = placeOfName(webhook);
      return at === undefined ? [] : [{ about: webhook, at, message: 'its namespaceSelector uses the label name' }];
    });
  },
};

function placeOfName({ namespaceSelector }: LintedWebhook): string | undefined {
  if (mapAt(namespaceSelector, 'matchLabels')?.has('name') === true) return '/namespaceSelector/matchLabels/name';
  const index = listAt(namespaceSelector, 'matchExpressions').findIndex(one => stringAt(one, 'key') === 'name');
  return index < 0 ? undefined : `/namespaceSelector/matchExpressions/${index}/key`;
}

const bootstrap: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/** A namespaceSelector selects none of the namespaces in the files. */
export const selectorWithoutMatch: LintRule = {
  id: 'selector-without-match',
  severity: 'warning',
  reason: 'the webhook is never called for namespaced objects',
  fix: 'label the namespaces, or correct the selector',
  check: ({ webhooks, storage, server, knowsNamespaces }) => {
    const namespaces = storage.list({ group: '', kind: 'Namespace' });
    const names = namespaces.map(namespace => labelsOf(namespace).get('kubernetes.io/metadata.name') ?? '');
    if (names.every(name => bootstrap.has(name))) return [];
    return webhooks
      .filter(webhook => knowsNamespaces || isUsed(keysOf(webhook), withoutOwn(namespaces, webhook)))
      .filter(webhook => !namespaces.some(namespace => selects(readableSelector(server, webhook.namespaceSelector), labelsOf(namespace))))
      .map(webhook => ({
        about: webhook,
        at: '/namespaceSelector',
        message: 'its namespaceSelector selects none of the namespaces in the files',
      }));
  },
};

/** Returns the labels that a namespaceSelector asks for. */
function keysOf({ namespaceSelector }: LintedWebhook): string[] {
  const keys = [
    ...(mapAt(namespaceSelector, 'matchLabels')?.keys() ?? []),
    ...listAt(namespaceSelector, 'matchExpressions').map(one => stringAt(one, 'key')),
  ];
  return keys.filter(key => key !== 'kubernetes.io/metadata.name');
}

/** Namespaces without any of the labels say nothing about others, which files may lack. */
function isUsed(keys: readonly string[], namespaces: readonly ValueMap[]): boolean {
  return keys.some(key => namespaces.some(namespace => labelsOf(namespace).has(key)));
}

/** An operator excludes its own namespace: that says nothing about others, either. */
function withoutOwn(namespaces: readonly ValueMap[], { clientConfig: { service } }: LintedWebhook): readonly ValueMap[] {
  return namespaces.filter(namespace => stringAt(namespace, 'metadata', 'name') !== service?.namespace);
}
