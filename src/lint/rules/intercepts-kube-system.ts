import { asksAboutPods, reachesNamespace, readableSelector, ruleAboutPods } from '../reach.js';
import type { LintRule } from '../rule.js';

/** A webhook can block the cluster's own pods. */
export const interceptsKubeSystem: LintRule = {
  id: 'intercepts-kube-system',
  severity: 'warning',
  reason: 'if it is unavailable, pods of the control plane, DNS and the network cannot start',
  fix: 'add a namespaceSelector: kubernetes.io/metadata.name NotIn [kube-system]',
  check: ({ webhooks, storage, server }) =>
    webhooks
      .filter(webhook => webhook.failurePolicy === 'Fail' && webhook.matchConditions.length === 0)
      .filter(webhook => readableSelector(server, webhook.objectSelector).matches === 'everything')
      .filter(webhook => asksAboutPods(webhook, 'CREATE') && reachesNamespace(webhook, 'kube-system', storage))
      .map(webhook => ({
        about: webhook,
        at: ruleAboutPods(webhook, 'CREATE') ?? '',
        message: 'it is required for creating pods in kube-system',
      })),
};
