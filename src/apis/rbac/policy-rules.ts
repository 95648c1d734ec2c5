import { declared } from '../../apiserver/registry/validation/declared.js';
import { addInvalid, addRequired, at, itemsAt, lengthOf, type Place } from '../../apiserver/registry/validation/place.js';

export function checkRules(role: Place, isNamespaced: boolean, old?: Place): void {
  for (const rule of itemsAt(role, 'rules')) checkRule(rule, isNamespaced, { all: at(role, 'rules'), old: old && at(old, 'rules') });
}

function checkRule(rule: Place, isNamespaced: boolean, rules: { readonly all: Place; readonly old: Place | undefined }): void {
  const count = (name: string): number => lengthOf(at(rule, name));
  if (count('verbs') === 0)
    declared(rules.all, rules.old, isDeclared => addRequired(at(rule, 'verbs'), isDeclared ? '' : 'verbs must contain at least one value'));
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
