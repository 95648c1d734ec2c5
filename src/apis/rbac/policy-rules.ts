import { addInvalid, addRequired, at, itemsAt, lengthOf, type Place } from '../../apiserver/registry/validation/place.js';

export function checkRules(role: Place, isNamespaced: boolean): void {
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
