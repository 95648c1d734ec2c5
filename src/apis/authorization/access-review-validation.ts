import { encodeTyped } from '../../apiserver/objects/encode-typed.js';
import { internalValue } from '../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../apiserver/registry/validation/kind-rules.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  at,
  hasSet,
  isSet,
  itemsAt,
  lengthOf,
  mapOf,
  type Place,
  textAt,
  textOf,
  textsOf,
} from '../../apiserver/registry/validation/place.js';
import { checkLabelName, checkName } from '../../apiserver/registry/validation/rules.js';
import { writeValue } from '../../go/json/write.js';
import { labelValueProblems } from '../../kubernetes/name-rules.js';
import { structNamed } from '../../kubernetes/type-table.js';

/** Source: kubernetes pkg/apis/authorization/validation ValidateSubjectAccessReview. */
export const subjectAccessReviewRules: KindRules = {
  create: review => {
    checkAccess(at(review, 'spec'), false);
    checkMetadata(at(review, 'metadata'), false);
  },
  update: [],
};

/** Source: kubernetes pkg/apis/authorization/validation ValidateSelfSubjectAccessReview. */
export const selfSubjectAccessReviewRules: KindRules = {
  create: review => {
    checkAccess(at(review, 'spec'), true);
    checkMetadata(at(review, 'metadata'), false);
  },
  update: [],
};

/** Source: kubernetes pkg/apis/authorization/validation ValidateLocalSubjectAccessReview. */
export const localSubjectAccessReviewRules: KindRules = {
  create: review => {
    checkAccess(at(review, 'spec'), false);
    checkMetadata(at(review, 'metadata'), true);
    checkLocal(review);
  },
  update: [],
};

const nonResourceType = 'authorization/v1.NonResourceAttributes';

function checkAccess(spec: Place, isSelf: boolean): void {
  const [resource, other] = [at(spec, 'resourceAttributes'), at(spec, 'nonResourceAttributes')];
  const message = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  const shown = isSet(other) ? internalValue(spec.server, nonResourceType, other.value) : null;
  if (spec.server.since('v1.37')) {
    if (isSet(resource) === isSet(other)) addInvalid(spec, message, shown);
  } else {
    if (isSet(resource) && isSet(other)) addInvalid(other, 'cannot be specified in combination with resourceAttributes', shown);
    if (!isSet(resource) && !isSet(other)) addInvalid(resource, message, null);
  }
  if (!isSelf && textAt(spec, 'user') === '' && lengthOf(at(spec, 'groups')) === 0)
    addInvalid(at(spec, 'user'), 'at least one of user or group must be specified', '');
  if (isSet(resource)) for (const name of ['fieldSelector', 'labelSelector']) checkSelector(at(resource, name));
  checkHandledTypes(at(spec, 'authorizationOptions', 'handledDecisionTypes'));
}

/** Source: apiserver pkg/apis/authorization/validation validateAuthorizationOptions. */
function checkHandledTypes(types: Place): void {
  const handled = textsOf(types);
  if (handled.length === 0 || handled.length > 32 || ['Allow', 'Deny', 'NoOpinion'].every(type => handled.includes(type))) return;
  addInvalid(types, 'set must at least contain {Allow, Deny, NoOpinion}', { rawJson: writeValue(types.value ?? null, 'sorted') });
}

function checkSelector(selector: Place): void {
  if (!isSet(selector)) return;
  const [raw, requirements] = [at(selector, 'rawSelector'), at(selector, 'requirements')];
  const count = lengthOf(requirements);
  if (textOf(raw) !== '' && count > 0) addInvalid(raw, 'may not specified at the same time as requirements');
  if (textOf(raw) === '' && count === 0)
    addRequired(requirements, `when ${selector.path} is specified, requirements or rawSelector is required`);
  for (const requirement of itemsAt(selector, 'requirements')) checkRequirement(requirement, selector.path.endsWith('.fieldSelector'));
}

/** Validates a requirement; an unknown operator passes, because later clients may know it. */
function checkRequirement(requirement: Place, isField: boolean): void {
  const [key, values, operator] = [at(requirement, 'key'), at(requirement, 'values'), textAt(requirement, 'operator')];
  if (isField && textOf(key) === '') addRequired(key, 'must be specified');
  if (['In', 'NotIn'].includes(operator) && lengthOf(values) === 0)
    addRequired(values, "must be specified when `operator` is 'In' or 'NotIn'");
  if (['Exists', 'DoesNotExist'].includes(operator) && lengthOf(values) > 0)
    addForbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  if (isField) return;
  checkLabelName(key);
  for (const value of itemsAt(requirement, 'values')) checkName(value, text => labelValueProblems(requirement.server, text));
}

/** Validates that a review has no metadata. */
function checkMetadata(metadata: Place, isLocal: boolean): void {
  const left = new Set(mapOf(metadata).keys());
  left.delete('managedFields');
  if (isLocal) left.delete('namespace');
  if (left.size === 0) return;
  const shown = { rawJson: encodeTyped(mapOf(metadata), structNamed(metadata.server, 'meta/v1.ObjectMeta')) };
  addInvalid(metadata, isLocal ? 'must be empty except for namespace' : 'must be empty', shown);
}

function checkLocal(place: Place): void {
  const spec = at(place, 'spec');
  const namespace = at(spec, 'resourceAttributes', 'namespace');
  if (hasSet(spec, 'resourceAttributes') && textOf(namespace) !== textAt(place, 'metadata', 'namespace'))
    addInvalid(namespace, 'must match metadata.namespace', textOf(namespace));
  const other = at(spec, 'nonResourceAttributes');
  if (isSet(other)) addInvalid(other, 'disallowed on this kind of request', internalValue(place.server, nonResourceType, other.value));
}
