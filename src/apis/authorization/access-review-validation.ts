import { encodeTyped } from '../../apiserver/objects/encode-typed.js';
import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../apiserver/registry/validation/kind-rules.js';
import { checkLabelName, checkName } from '../../apiserver/registry/validation/rules.js';
import { writeValue } from '../../go/json/write.js';
import { labelValueProblems } from '../../kubernetes/name-rules.js';
import { structNamed } from '../../kubernetes/type-table.js';

/** Source: kubernetes pkg/apis/authorization/validation ValidateSubjectAccessReview. */
export const subjectAccessReviewRules: KindRules = {
  create: review => {
    checkAccess(review.child('spec'), false);
    checkMetadata(review.child('metadata'), false);
  },
  update: [],
};

/** Source: kubernetes pkg/apis/authorization/validation ValidateSelfSubjectAccessReview. */
export const selfSubjectAccessReviewRules: KindRules = {
  create: review => {
    checkAccess(review.child('spec'), true);
    checkMetadata(review.child('metadata'), false);
  },
  update: [],
};

/** Source: kubernetes pkg/apis/authorization/validation ValidateLocalSubjectAccessReview. */
export const localSubjectAccessReviewRules: KindRules = {
  create: review => {
    checkAccess(review.child('spec'), false);
    checkMetadata(review.child('metadata'), true);
    checkLocal(review);
  },
  update: [],
};

const nonResourceType = 'authorization/v1.NonResourceAttributes';

function checkAccess(spec: FieldPath, isSelf: boolean): void {
  const [resource, other] = [spec.child('resourceAttributes'), spec.child('nonResourceAttributes')];
  const message = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  const shown = other.isSet() ? internalValue(spec.server, nonResourceType, other.value) : null;
  if (spec.server.since('v1.37')) {
    if (resource.isSet() === other.isSet()) spec.invalid(shown, message);
  } else {
    if (resource.isSet() && other.isSet()) other.invalid(shown, 'cannot be specified in combination with resourceAttributes');
    if (!resource.isSet() && !other.isSet()) resource.invalid(null, message);
  }
  if (!isSelf && spec.text('user') === '' && spec.child('groups').length() === 0)
    spec.child('user').invalid('', 'at least one of user or group must be specified');
  if (resource.isSet()) for (const name of ['fieldSelector', 'labelSelector']) checkSelector(resource.child(name));
  checkHandledTypes(spec.child('authorizationOptions', 'handledDecisionTypes'));
}

/** Source: apiserver pkg/apis/authorization/validation validateAuthorizationOptions. */
function checkHandledTypes(types: FieldPath): void {
  const handled = types.texts();
  if (handled.length === 0 || handled.length > 32 || ['Allow', 'Deny', 'NoOpinion'].every(type => handled.includes(type))) return;
  types.invalid({ rawJson: writeValue(types.value ?? null, 'sorted') }, 'set must at least contain {Allow, Deny, NoOpinion}');
}

function checkSelector(selector: FieldPath): void {
  if (!selector.isSet()) return;
  const [raw, requirements] = [selector.child('rawSelector'), selector.child('requirements')];
  const count = requirements.length();
  if (raw.text() !== '' && count > 0) raw.invalid('may not specified at the same time as requirements');
  if (raw.text() === '' && count === 0)
    requirements.required(`when ${selector.path} is specified, requirements or rawSelector is required`);
  for (const requirement of selector.items('requirements')) checkRequirement(requirement, selector.path.endsWith('.fieldSelector'));
}

/** Validates a requirement; an unknown operator passes, because later clients may know it. */
function checkRequirement(requirement: FieldPath, isField: boolean): void {
  const [key, values, operator] = [requirement.child('key'), requirement.child('values'), requirement.text('operator')];
  if (isField && key.text() === '') key.required('must be specified');
  if (['In', 'NotIn'].includes(operator) && values.length() === 0) values.required("must be specified when `operator` is 'In' or 'NotIn'");
  if (['Exists', 'DoesNotExist'].includes(operator) && values.length() > 0)
    values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  if (isField) return;
  checkLabelName(key);
  for (const value of requirement.items('values')) checkName(value, text => labelValueProblems(requirement.server, text));
}

/** Validates that a review has no metadata. */
function checkMetadata(metadata: FieldPath, isLocal: boolean): void {
  const left = new Set(metadata.members().keys());
  left.delete('managedFields');
  if (isLocal) left.delete('namespace');
  if (left.size === 0) return;
  const shown = { rawJson: encodeTyped(metadata.members(), structNamed(metadata.server, 'meta/v1.ObjectMeta')) };
  metadata.invalid(shown, isLocal ? 'must be empty except for namespace' : 'must be empty');
}

function checkLocal(field: FieldPath): void {
  const spec = field.child('spec');
  const namespace = spec.child('resourceAttributes', 'namespace');
  if (spec.has('resourceAttributes') && namespace.text() !== field.text('metadata', 'namespace'))
    namespace.invalid(namespace.text(), 'must match metadata.namespace');
  const other = spec.child('nonResourceAttributes');
  if (other.isSet()) other.invalid(internalValue(field.server, nonResourceType, other.value), 'disallowed on this kind of request');
}
