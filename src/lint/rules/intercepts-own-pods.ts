import { reachesNamespace, readableSelector, ruleAboutPods } from '../reach.js';
import type { LintRule } from '../rule.js';

/** A required webhook in the cluster intercepts the creation of its own pods. */
export const interceptsOwnPods: LintRule = {
  id: 'intercepts-own-pods',
  severity: 'error',
  reason: 'once none of its pods is running, none can be created: the cluster cannot recover it',
  fix: 'exclude its namespace with a namespaceSelector on kubernetes.io/metadata.name, or its pods with an objectSelector',
  check: ({ webhooks, storage, server }) =>
    webhooks.flatMap(webhook => {
      const namespace = webhook.clientConfig.service?.namespace;
      if (namespace === undefined || webhook.failurePolicy === 'Ignore' || webhook.matchConditions.length > 0) return [];
      if (readableSelector(server, webhook.objectSelector).matches !== 'everything') return [];
      const at = ruleAboutPods(webhook, 'CREATE');
      if (at === undefined || !reachesNamespace(webhook, namespace, storage)) return [];
      return [{ about: webhook, at, message: `it is called before pods are created in ${namespace}, where its own pods run` }];
    }),
};
