import { matchesRule } from '../../apiserver/webhooks/rules.js';
import type { Webhook } from '../../apiserver/webhooks/webhook.js';
import type { LintRule } from '../rule.js';

/** A security check is skipped when its server is down. */
export const ignoredValidation: LintRule = {
  id: 'ignored-validation',
  severity: 'warning',
  reason: 'while it is unavailable, requests that it would deny are allowed, and only the audit log shows it',
  fix: 'use failurePolicy Fail if the check is required',
  check: ({ webhooks }) =>
    webhooks
      .filter(webhook => webhook.phase === 'validating' && webhook.failurePolicy === 'Ignore' && guardsTheCluster(webhook))
      .map(webhook => ({
        about: webhook,
        at: '/failurePolicy',
        message: 'failurePolicy is Ignore, but it validates objects that can take over the cluster',
      })),
};

/** Resources that grant permissions, or run with them. */
const powerful = [
  ...['pods', 'secrets', 'serviceaccounts', 'namespaces'].map(resource => ({ group: '', resource })),
  ...['deployments', 'daemonsets', 'statefulsets'].map(resource => ({ group: 'apps', resource })),
  ...['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'].map(resource => ({ group: 'rbac.authorization.k8s.io', resource })),
];

function guardsTheCluster({ rules }: Webhook): boolean {
  return powerful.some(({ group, resource }) =>
    ['CREATE', 'UPDATE'].some(operation =>
      ['', 'default'].some(namespace =>
        rules.some(rule => matchesRule(rule, { operation, resource: { group, version: 'v1', resource }, subresource: '', namespace })),
      ),
    ),
  );
}
