import { declared } from '../../../apiserver/registry/validation/declared.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
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

function checkBinding(binding: FieldPath, isNamespaced: boolean, old?: FieldPath): void {
  const reference = binding.child('roleRef');
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (reference.text('apiGroup') !== group) reference.child('apiGroup').notSupportedText([group]);
  if (!kinds.includes(reference.text('kind'))) reference.child('kind').notSupportedText(kinds);
  const name = reference.child('name');
  // Declarative validation leaves out the members of a reference that an update may not change.
  if (name.text() === '') declared(name, old && name, () => name.required());
  else checkName(name, pathSegmentProblems);
  for (const subject of binding.items('subjects')) {
    const subjectName = subject.child('name');
    if (subjectName.text() === '') declared(binding.child('subjects'), old?.child('subjects'), () => subjectName.required());
    checkSubject(subject, isNamespaced);
  }
}

function checkSubject(subject: FieldPath, isNamespaced: boolean): void {
  const [name, kind, apiGroup] = [subject.child('name'), subject.text('kind'), subject.child('apiGroup')];
  if (kind === 'ServiceAccount') {
    if (name.text() !== '') checkName(name, dns1123SubdomainProblems);
    if (apiGroup.text() !== '') apiGroup.notSupportedText(['']);
    if (!isNamespaced && subject.text('namespace') === '') subject.child('namespace').required();
  } else if (kind === 'User' || kind === 'Group') {
    if (apiGroup.text() !== group) apiGroup.notSupportedText([group]);
  } else subject.child('kind').notSupportedText(['ServiceAccount', 'User', 'Group']);
}

function keepRole(binding: FieldPath, old: FieldPath): void {
  const reference = binding.child('roleRef');
  if (['apiGroup', 'kind', 'name'].some(key => reference.text(key) !== old.text('roleRef', key)))
    reference.invalid(
      internalValue(binding.server, 'rbac/v1.RoleRef', reference.value),
      binding.server.since('v1.37') ? 'field is immutable' : 'cannot change roleRef',
    );
}
