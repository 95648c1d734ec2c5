import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1123SubdomainProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';

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

function checkBinding(binding: FieldPath, isNamespaced: boolean): void {
  const reference = binding.child('roleRef');
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (reference.text('apiGroup') !== group) reference.child('apiGroup').notSupportedText([group]);
  if (!kinds.includes(reference.text('kind'))) reference.child('kind').notSupportedText(kinds);
  const name = reference.child('name');
  if (name.text() === '') name.required();
  else checkName(name, pathSegmentProblems);
  for (const subject of binding.items('subjects')) {
    const subjectName = subject.child('name');
    if (subjectName.text() === '') subjectName.required();
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
