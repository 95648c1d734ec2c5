import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';

export function checkRules(role: FieldPath, isNamespaced: boolean): void {
  for (const rule of role.items('rules')) checkRule(rule, isNamespaced);
}

function checkRule(rule: FieldPath, isNamespaced: boolean): void {
  const count = (name: string): number => rule.child(name).length();
  if (count('verbs') === 0) rule.child('verbs').required('verbs must contain at least one value');
  const urls = rule.child('nonResourceURLs');
  if (urls.length() > 0) {
    if (isNamespaced) urls.invalid('namespaced rules cannot apply to non-resource URLs');
    if (count('apiGroups') > 0 || count('resources') > 0 || count('resourceNames') > 0)
      urls.invalid('rules cannot apply to both regular resources and non-resource URLs');
    return;
  }
  if (count('apiGroups') === 0) rule.child('apiGroups').required('resource rules must supply at least one api group');
  if (count('resources') === 0) rule.child('resources').required('resource rules must supply at least one resource');
}
