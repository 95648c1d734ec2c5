import { declared } from '../../../apiserver/registry/validation/declared.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addInvalid,
  addRequired,
  addUnsupportedText,
  at,
  itemsAt,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1123SubdomainProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';

/** Source: rbac/validation ValidateRoleBinding. */
export const roleBindingRules: KindRules = {
  create: binding => checkBinding(binding, true),
  update: ['metadata', (binding, old) => checkBinding(binding, true, old), 'changes', keepRole],
};

/** Source: rbac/validation ValidateClusterRoleBinding. */
export const clusterRoleBindingRules: KindRules = {
  create: binding => checkBinding(binding, false),
  update: ['metadata', (binding, old) => checkBinding(binding, false, old), 'changes', keepRole],
};

const group = 'rbac.authorization.k8s.io';

function checkBinding(binding: Place, isNamespaced: boolean, old?: Place): void {
  const reference = at(binding, 'roleRef');
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (textAt(reference, 'apiGroup') !== group) addUnsupportedText(at(reference, 'apiGroup'), [group]);
  if (!kinds.includes(textAt(reference, 'kind'))) addUnsupportedText(at(reference, 'kind'), kinds);
  const name = at(reference, 'name');
  // Declarative validation leaves out the members of a reference that an update may not change.
  if (textOf(name) === '') declared(name, old && name, () => addRequired(name));
  else checkName(name, pathSegmentProblems);
  for (const subject of itemsAt(binding, 'subjects')) {
    const subjectName = at(subject, 'name');
    if (textOf(subjectName) === '') declared(at(binding, 'subjects'), old && at(old, 'subjects'), () => addRequired(subjectName));
    checkSubject(subject, isNamespaced);
  }
}

function checkSubject(subject: Place, isNamespaced: boolean): void {
  const [name, kind, apiGroup] = [at(subject, 'name'), textAt(subject, 'kind'), at(subject, 'apiGroup')];
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
    addInvalid(
      reference,
      binding.server.since('v1.37') ? 'field is immutable' : 'cannot change roleRef',
      internalValue(binding.server, 'rbac/v1.RoleRef', reference.value),
    );
}
