import { type DefaultRules, setDefault } from '../../apiserver/objects/default-rules.js';
import { ensureMap, type ValueMap } from '../../go/value.js';

const group = 'rbac.authorization.k8s.io';

/** Source: kubernetes pkg/apis/rbac defaults.go. */
export const rbacDefaults: DefaultRules = {
  ...bindingsIn('v1'),
  ...bindingsIn('v1beta1'),
  ...bindingsIn('v1alpha1'),
  'rbac/v1.Subject': groupOfSubject,
  'rbac/v1beta1.Subject': groupOfSubject,
  'rbac/v1alpha1.Subject': subject => {
    if (subject.get('kind') === 'ServiceAccount') setDefault(subject, 'apiVersion', 'v1');
    else if (isUserOrGroup(subject)) setDefault(subject, 'apiVersion', `${group}/v1alpha1`);
  },
};

function bindingsIn(version: string): DefaultRules {
  return { [`rbac/${version}.RoleBinding`]: defaultRoleRef, [`rbac/${version}.ClusterRoleBinding`]: defaultRoleRef };
}

function defaultRoleRef(binding: ValueMap): void {
  setDefault(ensureMap(binding, 'roleRef'), 'apiGroup', group);
}

function groupOfSubject(subject: ValueMap): void {
  if (isUserOrGroup(subject)) setDefault(subject, 'apiGroup', group);
}

function isUserOrGroup(subject: ValueMap): boolean {
  const kind = subject.get('kind');
  return kind === 'User' || kind === 'Group';
}
