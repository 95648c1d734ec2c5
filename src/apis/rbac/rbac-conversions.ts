import type { ConversionRules } from '../../apiserver/objects/conversion-rules.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import { parseApiVersion } from '../../kubernetes/group-version.js';

const rbacGroup = 'rbac.authorization.k8s.io';

/** Source: kubernetes pkg/apis/rbac/v1alpha1/conversion.go. */
export const rbacConversions: ConversionRules = {
  'rbac/v1alpha1.Subject': { toInternal: subjectToInternal, fromInternal: subjectFromInternal },
};

/** Converts a subject: the first version had an apiVersion instead of a group, and `*` for all authenticated users. */
function subjectToInternal(subject: ValueMap): void {
  const kind = stringAt(subject, 'kind');
  const named = parseApiVersion(stringAt(subject, 'apiVersion'))?.group ?? '';
  subject.delete('apiVersion');
  const group = kind === 'ServiceAccount' ? '' : kind === 'User' || kind === 'Group' ? rbacGroup : named;
  if (group !== '') subject.set('apiGroup', group);
  if (kind !== 'User' || stringAt(subject, 'name') !== '*') return;
  subject.set('kind', 'Group').set('name', 'system:authenticated');
}

function subjectFromInternal(subject: ValueMap): void {
  const kind = stringAt(subject, 'kind');
  const group = stringAt(subject, 'apiGroup');
  subject.delete('apiGroup');
  if (kind === 'ServiceAccount' && group === '') subject.set('apiVersion', 'v1');
  else if ((kind === 'User' || kind === 'Group') && group === rbacGroup) subject.set('apiVersion', `${rbacGroup}/v1alpha1`);
  else if (group !== '') subject.set('apiVersion', `${group}/`);
}
