import { internalValue } from '../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../apiserver/registry/validation/kind-rules.js';
import {
  addInvalid,
  addRequired,
  addUnsupportedText,
  at,
  isSet,
  itemsAt,
  lengthOf,
  type Place,
  textAt,
  textOf,
} from '../apiserver/registry/validation/place.js';
import { checkLabelSelector, checkName } from '../apiserver/registry/validation/rules.js';
import { dns1123SubdomainProblems, pathSegmentProblems } from '../kubernetes/name-rules.js';
import { isUsableSelector } from './apps/selected-templates.js';

/** Source: rbac/validation ValidateRole. */
export const roleRules: KindRules = {
  create: role => checkRules(role, true),
  update: ['metadata', role => checkRules(role, true), 'changes'],
};

/** Source: rbac/validation ValidateClusterRole. */
export const clusterRoleRules: KindRules = { create: checkClusterRole, update: ['metadata', checkClusterRole, 'changes'] };

/** Source: rbac/validation ValidateRoleBinding. */
export const roleBindingRules: KindRules = {
  create: binding => checkBinding(binding, true),
  update: ['metadata', binding => checkBinding(binding, true), 'changes', keepRole],
};

/** Source: rbac/validation ValidateClusterRoleBinding. */
export const clusterRoleBindingRules: KindRules = {
  create: binding => checkBinding(binding, false),
  update: ['metadata', binding => checkBinding(binding, false), 'changes', keepRole],
};

const group = 'rbac.authorization.k8s.io';

function checkRules(role: Place, isNamespaced: boolean): void {
  for (const rule of itemsAt(role, 'rules')) checkRule(rule, isNamespaced);
}

function checkRule(rule: Place, isNamespaced: boolean): void {
  const count = (name: string): number => lengthOf(at(rule, name));
  if (count('verbs') === 0) addRequired(at(rule, 'verbs'), 'verbs must contain at least one value');
  const urls = at(rule, 'nonResourceURLs');
  if (lengthOf(urls) > 0) {
    if (isNamespaced) addInvalid(urls, 'namespaced rules cannot apply to non-resource URLs');
    if (count('apiGroups') > 0 || count('resources') > 0 || count('resourceNames') > 0)
      addInvalid(urls, 'rules cannot apply to both regular resources and non-resource URLs');
    return;
  }
  if (count('apiGroups') === 0) addRequired(at(rule, 'apiGroups'), 'resource rules must supply at least one api group');
  if (count('resources') === 0) addRequired(at(rule, 'resources'), 'resource rules must supply at least one resource');
}

function checkClusterRole(role: Place): void {
  checkRules(role, false);
  const aggregation = at(role, 'aggregationRule');
  if (!isSet(aggregation)) return;
  const selectors = at(aggregation, 'clusterRoleSelectors');
  if (lengthOf(selectors) === 0) addRequired(selectors, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  for (const selector of itemsAt(aggregation, 'clusterRoleSelectors')) {
    checkLabelSelector(selector);
    // What was made of the selector is shown, which is nothing.
    if (!isUsableSelector(selector)) addInvalid(selector, 'invalid label selector.', null);
  }
}

function checkBinding(binding: Place, isNamespaced: boolean): void {
  const reference = at(binding, 'roleRef');
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (textAt(reference, 'apiGroup') !== group) addUnsupportedText(at(reference, 'apiGroup'), [group]);
  if (!kinds.includes(textAt(reference, 'kind'))) addUnsupportedText(at(reference, 'kind'), kinds);
  const name = at(reference, 'name');
  if (textOf(name) === '') addRequired(name);
  else checkName(name, pathSegmentProblems);
  for (const subject of itemsAt(binding, 'subjects')) checkSubject(subject, isNamespaced);
}

function checkSubject(subject: Place, isNamespaced: boolean): void {
  const [name, kind, apiGroup] = [at(subject, 'name'), textAt(subject, 'kind'), at(subject, 'apiGroup')];
  if (textOf(name) === '') addRequired(name);
  if (kind === 'ServiceAccount') {
    if (textOf(name) !== '') checkName(name, dns1123SubdomainProblems);
    if (textOf(apiGroup) !== '') addUnsupportedText(apiGroup, ['']);
    if (!isNamespaced && textAt(subject, 'namespace') === '') addRequired(at(subject, 'namespace'));
  } else if (kind === 'User' || kind === 'Group') {
    if (textOf(apiGroup) !== group) addUnsupportedText(apiGroup, [group]);
  } else addUnsupportedText(at(subject, 'kind'), ['ServiceAccount', 'User', 'Group']);
}

function keepRole(binding: Place, old: Place): void {
  const reference = at(binding, 'roleRef');
  if (['apiGroup', 'kind', 'name'].some(key => textAt(reference, key) !== textAt(old, 'roleRef', key)))
    addInvalid(reference, 'cannot change roleRef', internalValue('rbac/v1.RoleRef', reference.value));
}
