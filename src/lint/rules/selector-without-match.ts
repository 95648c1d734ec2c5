import { labelsOf, selects } from '../../kubernetes/label-selector.js';
import { readableSelector } from '../reach.js';
import type { LintRule } from '../rule.js';

const bootstrap: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/** A namespaceSelector selects none of the namespaces in the files. */
export const selectorWithoutMatch: LintRule = {
  id: 'selector-without-match',
  severity: 'warning',
  reason: 'the webhook is never called for namespaced objects',
  fix: 'label the namespaces, or correct the selector',
  check: ({ webhooks, storage, server }) => {
    const namespaces = storage.list({ group: '', kind: 'Namespace' });
    const isKnown = namespaces.some(namespace => !bootstrap.has(labelsOf(namespace).get('kubernetes.io/metadata.name') ?? ''));
    if (!isKnown) return [];
    return webhooks
      .filter(webhook => !namespaces.some(namespace => selects(readableSelector(server, webhook.namespaceSelector), labelsOf(namespace))))
      .map(webhook => ({
        about: webhook,
        at: '/namespaceSelector',
        message: 'its namespaceSelector selects none of the namespaces in the files',
      }));
  },
};
