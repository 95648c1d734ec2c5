import { declared } from '../../apiserver/registry/validation/declared.js';
import { compilationErrors } from '../../apiserver/registry/validation/match-expression.js';
import {
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  mapOf,
  numberAt,
  type Place,
  textAt,
  textOf,
} from '../../apiserver/registry/validation/place.js';
import { checkKnown, checkName } from '../../apiserver/registry/validation/rules.js';
import { compiledSelector } from '../../cel/compiled-selector.js';
import { isRawJson, sameValue } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type FieldError, forbiddenField, tooLong } from '../../kubernetes/field-error.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems, labelValueProblems } from '../../kubernetes/name-rules.js';
import { checkDeclaredDriverName } from '../core/pod/validation/volume-sources.js';
import { checkDerivedAttributes } from './derived-attributes.js';
import { checkFullyQualifiedName, checkItems, checkQualifiedName, checkSet, keyPlace } from './device-names.js';

/** Validates the devices of a claim, except for the expressions in selectors. Source: resource/validation validateResourceClaimSpec. */
export function checkClaimedDevices(spec: Place, old?: Place): void {
  const devices = at(spec, 'devices');
  const names = requestNames(devices);
  checkSet(at(devices, 'requests'), 32, {
    check: request => checkRequest(request, old && requestNamed(old, textAt(request, 'name'))),
    key: request => textAt(request, 'name'),
    member: 'name',
    struct: 'resource/v1.DeviceRequest',
  });
  if (spec.server.since('v1.37')) checkDerivedAttributes(devices);
  checkItems(at(devices, 'constraints'), 32, constraint => checkConstraint(constraint, names));
  checkItems(at(devices, 'config'), 32, config => {
    checkReferences(at(config, 'requests'), names);
    checkConfiguration(config);
  });
}

function requestNamed(spec: Place, name: string): Place | undefined {
  return itemsAt(spec, 'devices', 'requests').find(request => textAt(request, 'name') === name);
}

/** Returns names of requests, and of subrequests as `request/subrequest`. */
export function requestNames(devices: Place): ReadonlySet<string> {
  return new Set(
    itemsAt(devices, 'requests').flatMap(request => {
      const name = textAt(request, 'name');
      return [name, ...itemsAt(request, 'firstAvailable').map(inner => `${name}/${textAt(inner, 'name')}`)];
    }),
  );
}

const exactMembers = [
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'tolerations',
  'capacity',
  'derivedAttributes',
];

/** An exact request; `isInline` if its fields are those of the request. */
interface ExactRequest extends Place {
  readonly isInline?: true;
}

/** Returns the request as declarative validation names it: in its own version. */
function inVersion(request: ExactRequest): Place {
  return request.isInline && request.server.since('v1.37') ? { ...request, path: request.path.replace(/\.exactly$/, '') } : request;
}

/** Returns the exact request; the first versions had its fields in the request itself. */
function exactRequest(request: Place): ExactRequest {
  const exactly = at(request, 'exactly');
  if (isSet(exactly)) return exactly;
  return exactMembers.some(name => hasSet(request, name)) ? { ...exactly, value: mapOf(request), isInline: true } : exactly;
}

function checkRequest(request: Place, old: Place | undefined): void {
  checkName(at(request, 'name'), dns1123LabelProblems);
  const [exactly, inner] = [exactRequest(request), at(request, 'firstAvailable')];
  const message = 'exactly one of `exactly` or `firstAvailable` is required';
  const hasBoth = isSet(exactly) && lengthOf(inner) > 0;
  if (hasBoth && request.server.since('v1.35')) {
    addInvalid(request, `${message}, but multiple fields are set`, null);
    if (request.server.since('v1.37')) checkDeclaredParts(exactly, inner);
    return;
  }
  if (hasBoth) checkInner(inner, old);
  if (isSet(exactly)) checkExact(exactly, { isInner: false, old: old && exactRequest(old) });
  else if (lengthOf(inner) > 0) checkInner(inner, old);
  else addRequired(request, message);
  if (hasBoth) addInvalid(request, `${message}, but multiple fields are set`, null);
}

/** Declarative validation checks the parts of a request that has both. */
function checkDeclaredParts(exactly: ExactRequest, inner: Place): void {
  for (const request of [exactly, ...indexed(inner)]) {
    if (request !== exactly) checkClassName(request, true);
    checkMode(request);
    for (const toleration of itemsAt(inVersion(request), 'tolerations')) checkDeclaredToleration(toleration);
  }
}

function checkMode(request: ExactRequest): void {
  const mode = at(inVersion(request), 'allocationMode');
  const modes = ['All', 'ExactCount'];
  if (!modes.includes(textOf(mode))) declared(mode, undefined, () => addUnsupported(mode, modes, textOf(mode)));
}

/** Declarative validation checks only that of a subrequest. */
function checkClassName(request: Place, isInner: boolean): void {
  const deviceClass = at(request, 'deviceClassName');
  const check = (): void => {
    if (textOf(deviceClass) === '') addRequired(deviceClass);
    else checkName(deviceClass, dns1123SubdomainProblems);
  };
  if (isInner) declared(deviceClass, undefined, check);
  else check();
}

function checkInner(requests: Place, old: Place | undefined): void {
  checkSet(requests, 8, {
    check: place => {
      checkName(at(place, 'name'), dns1123LabelProblems);
      const isSame = (other: Place): boolean => textAt(other, 'name') === textAt(place, 'name');
      checkExact(place, { isInner: true, old: old && itemsAt(old, 'firstAvailable').find(isSame) });
    },
    key: place => textAt(place, 'name'),
    member: 'name',
    struct: 'resource/v1.DeviceSubRequest',
  });
}

function checkExact(request: ExactRequest, { isInner, old }: { readonly isInner: boolean; readonly old: Place | undefined }): void {
  checkClassName(request, isInner);
  checkSelectors(at(request, 'selectors'));
  const [mode, count] = [at(request, 'allocationMode'), numberAt(request, 'count')];
  if (textOf(mode) === 'All') {
    if (count !== 0n) addInvalid(at(request, 'count'), "must not be specified when allocationMode is 'All'", count);
  } else if (textOf(mode) === 'ExactCount') {
    if (count <= 0n) addInvalid(at(request, 'count'), 'must be greater than zero', count);
  } else checkMode(request);
  for (const toleration of itemsAt(inVersion(request), 'tolerations')) checkToleration(toleration);
  checkRequestedCapacity(at(request, 'capacity', 'requests'), old && at(old, 'capacity', 'requests'));
}

/** Since v1.38; names that an update of a template keeps remain valid. Source: resource/validation validateCapacityRequirements. */
function checkRequestedCapacity(requests: Place, old: Place | undefined): void {
  if (!requests.server.since('v1.38') || (old !== undefined && sameValue(requests.value ?? null, old.value ?? null))) return;
  for (const name of mapOf(requests).keys()) checkQualifiedName(keyPlace(requests, name));
}

/** Validates device selectors. Source: resource/validation validateSelectorSlice. */
export function checkSelectors(selectors: Place): void {
  checkItems(selectors, 32, selector => {
    const cel = at(selector, 'cel');
    const expression = at(cel, 'expression');
    if (!isSet(cel)) addRequired(cel);
    else if (Buffer.byteLength(textOf(expression)) > 10_240) expression.errors.push(tooLong(expression.path, 10_240));
    else expression.errors.push(...expressionErrors(expression));
  });
}

/** Max cost of a selector. Source: api resource/v1 CELSelectorExpressionMaxCost. */
const selectorCostLimit = 1_000_000n;

function expressionErrors({ server, value, path }: Place): FieldError[] {
  const expression = typeof value === 'string' ? value : '';
  const { compilation, cost } = compiledSelector(server, expression);
  if (cost > selectorCostLimit) return [forbiddenField(path, 'too complex, exceeds cost limit')];
  return compilationErrors(compilation, expression, path);
}

/** Effects of taints of devices. */
function effects(server: ApiServer): readonly string[] {
  return server.since('v1.35') ? ['NoExecute', 'NoSchedule', 'None'] : ['NoExecute', 'NoSchedule'];
}

function checkToleration(toleration: Place): void {
  const [key, operator, value, effect] = [
    at(toleration, 'key'),
    at(toleration, 'operator'),
    at(toleration, 'value'),
    at(toleration, 'effect'),
  ];
  if (textOf(operator) === 'Exists') {
    if (textOf(key) !== '') declared(key, undefined, () => checkName(key, text => labelKeyProblems(key.server, text)));
    if (textOf(value) !== '') addInvalid(value, 'must be empty for operator `Exists`');
    checkTolerationEffect(effect);
    return;
  }
  checkTolerationKey(toleration);
  if (textOf(operator) === 'Equal') checkName(value, text => labelValueProblems(toleration.server, text));
  checkOperator(operator);
  checkTolerationEffect(effect);
}

function checkDeclaredToleration(toleration: Place): void {
  checkTolerationKey(toleration);
  checkOperator(at(toleration, 'operator'));
  checkTolerationEffect(at(toleration, 'effect'));
}

function checkTolerationKey(toleration: Place): void {
  const key = at(toleration, 'key');
  if (textOf(key) !== '') declared(key, undefined, () => checkName(key, text => labelKeyProblems(key.server, text)));
}

function checkOperator(operator: Place): void {
  declared(operator, undefined, () => {
    if (textOf(operator) === '') addRequired(operator);
    else checkKnown(operator, ['Equal', 'Exists']);
  });
}

function checkTolerationEffect(effect: Place): void {
  // v1.35 requires the effect in claims, though not in templates; it is optional before and after.
  const isRequired = effect.server.since('v1.35') && effect.server.until('v1.35') && !effect.path.startsWith('spec.spec.');
  if (textOf(effect) !== '' || isRequired) declared(effect, undefined, () => checkKnown(effect, effects(effect.server)));
}

/** Validates a device taint; an unchanged effect is skipped. Source: resource/validation validateDeviceTaint. */
export function checkDeviceTaint(taint: Place, old?: Place): void {
  const [value, effect] = [at(taint, 'value'), at(taint, 'effect')];
  checkName(at(taint, 'key'), text => labelKeyProblems(taint.server, text));
  if (textOf(value) !== '') checkName(value, text => labelValueProblems(taint.server, text));
  if (old !== undefined && textAt(old, 'effect') === textOf(effect)) return;
  declared(effect, undefined, () => {
    if (textOf(effect) === '') addRequired(effect);
    else checkKnown(effect, effects(effect.server));
  });
}

function checkConstraint(constraint: Place, names: ReadonlySet<string>): void {
  checkReferences(at(constraint, 'requests'), names);
  const [match, distinct] = [at(constraint, 'matchAttribute'), at(constraint, 'distinctAttribute')];
  if (isSet(match)) declared(match, undefined, () => checkFullyQualifiedName(match));
  // Hand-written validation leaves out the second one.
  if (isSet(distinct) && (constraint.server.since('v1.37') || !isSet(match)))
    declared(distinct, undefined, () => checkFullyQualifiedName(distinct));
  if (isSet(match) || isSet(distinct)) return;
  if (!constraint.server.isEnabled('DRAConsumableCapacity')) addRequired(match);
  else addRequired(constraint, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set');
}

/** Validates references to requests, which must be unique. */
export function checkReferences(references: Place, names: ReadonlySet<string>): void {
  checkSet(references, 32, { check: reference => checkReference(reference, names), key: textOf });
}

/** Validates a reference to a request or subrequest. Source: resource/validation validateRequestNameRef. */
export function checkReference(reference: Place, names: ReadonlySet<string>): void {
  const parts = textOf(reference).split('/');
  if (parts.length <= 2) for (const part of parts) checkName({ ...reference, value: part }, dns1123LabelProblems);
  if (!names.has(textOf(reference)))
    addInvalid(
      reference,
      "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
      textOf(reference),
    );
}

/** Validates the part of a configuration that a driver reads. Source: resource/validation validateDeviceConfiguration. */
export function checkConfiguration(config: Place): void {
  const opaque = at(config, 'opaque');
  if (!isSet(opaque)) {
    addRequired(opaque);
    return;
  }
  checkDeclaredDriverName(at(opaque, 'driver'));
  checkRawObject(at(opaque, 'parameters'));
}

/** Validates raw JSON: an object with a max length. Source: resource/validation validateRawExtension. */
export function checkRawObject(place: Place): void {
  const raw = isRawJson(place.value) ? place.value.rawJson : undefined;
  if (!isSet(place) || raw === 'null') addRequired(place);
  else if (raw !== undefined && Buffer.byteLength(raw) > 10_240) place.errors.push(tooLong(place.path, 10_240));
  else if (raw !== undefined && !raw.startsWith('{')) addInvalid(place, 'must be a valid JSON object', '<value omitted>');
}

/** Returns the index of the first request for administrative access; -1 when there is none. */
export function adminRequest(spec: Place): number {
  return itemsAt(spec, 'devices', 'requests').findIndex(request => at(exactRequest(request), 'adminAccess').value === true);
}
