import { matchesRule } from '../../apiserver/webhooks/rules.js';
import type { Webhook } from '../../apiserver/webhooks/webhook.js';
import { listAt, mapAt, stringAt } from '../../go/value.js';
import type { LintRule } from '../rule.js';

/** A binding of a missing policy. */
export const bindingWithoutPolicy: LintRule = {
  id: 'binding-without-policy',
  severity: 'warning',
  reason: 'a binding of a policy that does not exist does nothing, and no error is reported',
  fix: 'correct spec.policyName, or add the policy',
  check: ({ bindings = [] }) =>
    bindings
      .filter(({ hasPolicy }) => !hasPolicy)
      .map(about => ({ about, at: '/spec/policyName', message: `there is no policy ${about.policyName} in these files` })),
};

/** A policy without a binding. */
export const policyWithoutBinding: LintRule = {
  id: 'policy-without-binding',
  severity: 'warning',
  reason: 'a policy has no effect without a binding',
  fix: 'add a binding whose spec.policyName is the name of the policy',
  check: ({ policies = [] }) =>
    policies
      .filter(({ bindings }) => bindings.length === 0)
      .map(about => ({ about, at: '', message: 'no binding in these files refers to the policy' })),
};

/** Expressions that read parameters although a binding does not set them. */
export const paramsWithoutRef: LintRule = {
  id: 'params-without-ref',
  severity: 'warning',
  reason: 'without paramRef the variable params is null: reading it is an error, which refuses the request with failurePolicy Fail',
  fix: 'add spec.paramRef to the binding, or check params != null first',
  check: ({ policies = [] }) =>
    policies.flatMap(about => {
      const { paramKind } = about.policy;
      const binding = about.bindings.find(({ paramRef }) => paramRef === undefined);
      if (paramKind === undefined || binding === undefined || checksNull(about.policy)) return [];
      return [{ about, at: '/spec/paramKind', message: `the binding ${binding.name} does not refer to a ${paramKind.kind}` }];
    }),
};

function checksNull({
  matchConditions,
  validations,
  variables,
}: { readonly [K in 'matchConditions' | 'validations' | 'variables']: readonly { readonly expression: string }[] }): boolean {
  return [...matchConditions, ...validations, ...variables].some(({ expression }) =>
    /params\s*[!=]=\s*null|null\s*[!=]=\s*params/.test(expression),
  );
}

/** A security check is skipped when its server is down. */
export const ignoredValidation: LintRule = {
  id: 'ignored-validation',
  severity: 'warning',
  reason: 'while it is unavailable, requests that it would deny are allowed, and only the audit log shows it',
  fix: 'use failurePolicy Fail if the check is required',
  check: ({ webhooks }) =>
    webhooks
      .filter(
        webhook =>
          webhook.phase === 'validating' && webhook.failurePolicy === 'Ignore' && guardsTheCluster(webhook) && !isOptional(webhook),
      )
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

/** Reports whether only what has a label is validated: who leaves the label out avoids the check anyway. */
function isOptional({ namespaceSelector, objectSelector }: Webhook): boolean {
  return [namespaceSelector, objectSelector].some(
    selector =>
      (mapAt(selector, 'matchLabels')?.size ?? 0) > 0 ||
      listAt(selector, 'matchExpressions').some(one => ['In', 'Exists'].includes(stringAt(one, 'operator'))),
  );
}

function guardsTheCluster({ rules }: Webhook): boolean {
  return powerful.some(({ group, resource }) =>
    ['CREATE', 'UPDATE'].some(operation =>
      ['', 'default'].some(namespace =>
        rules.some(rule => matchesRule(rule, { operation, resource: { group, version: 'v1', resource }, subresource: '', namespace })),
      ),
    ),
  );
}
