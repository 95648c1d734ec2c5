import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';
import { compilationErrors } from '../../apiserver/registry/validation/match-expression.js';
import { checkKnown, checkName } from '../../apiserver/registry/validation/rules.js';
import { compiledSelector } from '../../cel/compiled-selector.js';
import { isRawJson, sameValue } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type FieldError, forbiddenField } from '../../kubernetes/field-error.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems, labelValueProblems } from '../../kubernetes/name-rules.js';
import { checkDriverName } from '../core/pod/validation/volume-sources.js';
import { checkDerivedAttributes } from './derived-attributes.js';
import { checkFullyQualifiedName, checkItems, checkQualifiedName, checkSet, keyPlace } from './device-names.js';

/** Validates the devices of a claim, except for the expressions in selectors. Source: resource/validation validateResourceClaimSpec. */
export function checkClaimedDevices(spec: FieldPath, old?: FieldPath): void {
  const devices = spec.child('devices');
  const names = requestNames(devices);
  checkSet(devices.child('requests'), 32, {
    check: request => checkRequest(request, old && requestNamed(old, request.text('name'))),
    key: request => request.text('name'),
    member: 'name',
  });
  if (spec.server.since('v1.37')) checkDerivedAttributes(devices);
  checkItems(devices.child('constraints'), 32, constraint => checkConstraint(constraint, names));
  checkItems(devices.child('config'), 32, config => {
    checkReferences(config.child('requests'), names);
    checkConfiguration(config);
  });
}

function requestNamed(spec: FieldPath, name: string): FieldPath | undefined {
  return spec.items('devices', 'requests').find(request => request.text('name') === name);
}

/** Returns names of requests, and of subrequests as `request/subrequest`. */
export function requestNames(devices: FieldPath): ReadonlySet<string> {
  return new Set(
    devices.items('requests').flatMap(request => {
      const name = request.text('name');
      return [name, ...request.items('firstAvailable').map(inner => `${name}/${inner.text('name')}`)];
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

/** Returns the exact request; the first versions had its fields in the request itself. */
function exactRequest(request: FieldPath): FieldPath {
  const exactly = request.child('exactly');
  return exactly.isSet() || !exactMembers.some(name => request.has(name)) ? exactly : exactly.withValue(request.value);
}

function checkRequest(request: FieldPath, old: FieldPath | undefined): void {
  checkName(request.child('name'), dns1123LabelProblems);
  const [exactly, inner] = [exactRequest(request), request.child('firstAvailable')];
  const message = 'exactly one of `exactly` or `firstAvailable` is required';
  const hasBoth = exactly.isSet() && inner.length() > 0;
  if (hasBoth && request.server.since('v1.35')) {
    request.invalid(null, `${message}, but multiple fields are set`);
    return;
  }
  if (hasBoth) checkInner(inner, old);
  if (exactly.isSet()) checkExact(exactly, old && exactRequest(old));
  else if (inner.length() > 0) checkInner(inner, old);
  else request.required(message);
  if (hasBoth) request.invalid(null, `${message}, but multiple fields are set`);
}

function checkInner(requests: FieldPath, old: FieldPath | undefined): void {
  checkSet(requests, 8, {
    check: field => {
      checkName(field.child('name'), dns1123LabelProblems);
      const isSame = (other: FieldPath): boolean => other.text('name') === field.text('name');
      checkExact(field, old?.items('firstAvailable').find(isSame));
    },
    key: field => field.text('name'),
    member: 'name',
  });
}

function checkExact(request: FieldPath, old: FieldPath | undefined): void {
  const deviceClass = request.child('deviceClassName');
  if (deviceClass.text() === '') deviceClass.required();
  else checkName(deviceClass, dns1123SubdomainProblems);
  checkSelectors(request.child('selectors'));
  const [mode, count] = [request.child('allocationMode'), request.number('count')];
  if (mode.text() === 'All') {
    if (count !== 0n) request.child('count').invalid(count, "must not be specified when allocationMode is 'All'");
  } else if (mode.text() === 'ExactCount') {
    if (count <= 0n) request.child('count').invalid(count, 'must be greater than zero');
  } else mode.notSupported(mode.text(), ['All', 'ExactCount']);
  for (const toleration of request.items('tolerations')) checkToleration(toleration);
  checkRequestedCapacity(request.child('capacity', 'requests'), old?.child('capacity', 'requests'));
}

/** Since v1.38; names that an update of a template keeps remain valid. Source: resource/validation validateCapacityRequirements. */
function checkRequestedCapacity(requests: FieldPath, old: FieldPath | undefined): void {
  if (!requests.server.since('v1.38') || (old !== undefined && sameValue(requests.value ?? null, old.value ?? null))) return;
  for (const name of requests.members().keys()) checkQualifiedName(keyPlace(requests, name));
}

/** Validates device selectors. Source: resource/validation validateSelectorSlice. */
export function checkSelectors(selectors: FieldPath): void {
  checkItems(selectors, 32, selector => {
    const cel = selector.child('cel');
    const expression = cel.child('expression');
    if (!cel.isSet()) cel.required();
    else if (Buffer.byteLength(expression.text()) > 10_240) expression.tooLong(10_240);
    else expression.add(expressionErrors(expression));
  });
}

/** Max cost of a selector. Source: api resource/v1 CELSelectorExpressionMaxCost. */
const selectorCostLimit = 1_000_000n;

function expressionErrors({ server, value, path }: FieldPath): FieldError[] {
  const expression = typeof value === 'string' ? value : '';
  const { compilation, cost } = compiledSelector(server, expression);
  if (cost > selectorCostLimit) return [forbiddenField(path, 'too complex, exceeds cost limit')];
  return compilationErrors(compilation, expression, path);
}

/** Effects of taints of devices. */
function effects(server: ApiServer): readonly string[] {
  return server.since('v1.35') ? ['NoExecute', 'NoSchedule', 'None'] : ['NoExecute', 'NoSchedule'];
}

function checkToleration(toleration: FieldPath): void {
  const [key, operator, value, effect] = [
    toleration.child('key'),
    toleration.child('operator'),
    toleration.child('value'),
    toleration.child('effect'),
  ];
  if (key.text() !== '') checkName(key, text => labelKeyProblems(key.server, text));
  if (operator.text() === 'Exists') {
    if (value.text() !== '') value.invalid('must be empty for operator `Exists`');
  } else if (operator.text() === 'Equal') checkName(value, text => labelValueProblems(toleration.server, text));
  else if (operator.text() === '') operator.required();
  else checkKnown(operator, ['Equal', 'Exists']);
  checkTolerationEffect(effect);
}

function checkTolerationEffect(effect: FieldPath): void {
  // v1.35 requires the effect in claims, though not in templates; it is optional before and after.
  const isRequired = effect.server.since('v1.35') && effect.server.until('v1.35') && !effect.path.startsWith('spec.spec.');
  if (effect.text() !== '' || isRequired) checkKnown(effect, effects(effect.server));
}

/** Validates a device taint; an unchanged effect is skipped. Source: resource/validation validateDeviceTaint. */
export function checkDeviceTaint(taint: FieldPath, old?: FieldPath): void {
  const [value, effect] = [taint.child('value'), taint.child('effect')];
  checkName(taint.child('key'), text => labelKeyProblems(taint.server, text));
  if (value.text() !== '') checkName(value, text => labelValueProblems(taint.server, text));
  if (old !== undefined && old.text('effect') === effect.text()) return;
  if (effect.text() === '') effect.required();
  else checkKnown(effect, effects(effect.server));
}

function checkConstraint(constraint: FieldPath, names: ReadonlySet<string>): void {
  checkReferences(constraint.child('requests'), names);
  const [match, distinct] = [constraint.child('matchAttribute'), constraint.child('distinctAttribute')];
  if (match.isSet()) checkFullyQualifiedName(match);
  else if (distinct.isSet()) checkFullyQualifiedName(distinct);
  if (match.isSet() || distinct.isSet()) return;
  if (!constraint.server.isEnabled('DRAConsumableCapacity')) match.required();
  else constraint.required('exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set');
}

/** Validates references to requests, which must be unique. */
export function checkReferences(references: FieldPath, names: ReadonlySet<string>): void {
  checkSet(references, 32, { check: reference => checkReference(reference, names), key: field => field.text() });
}

/** Validates a reference to a request or subrequest. Source: resource/validation validateRequestNameRef. */
export function checkReference(reference: FieldPath, names: ReadonlySet<string>): void {
  const parts = reference.text().split('/');
  if (parts.length <= 2) for (const part of parts) checkName(reference.withValue(part), dns1123LabelProblems);
  if (!names.has(reference.text()))
    reference.invalid(
      reference.text(),
      "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
    );
}

/** Validates the part of a configuration that a driver reads. Source: resource/validation validateDeviceConfiguration. */
export function checkConfiguration(config: FieldPath): void {
  const opaque = config.child('opaque');
  if (!opaque.isSet()) {
    opaque.required();
    return;
  }
  checkDriverName(opaque.child('driver'));
  checkRawObject(opaque.child('parameters'));
}

/** Validates raw JSON: an object with a max length. Source: resource/validation validateRawExtension. */
export function checkRawObject(field: FieldPath): void {
  const raw = isRawJson(field.value) ? field.value.rawJson : undefined;
  if (!field.isSet() || raw === 'null') field.required();
  else if (raw !== undefined && Buffer.byteLength(raw) > 10_240) field.tooLong(10_240);
  else if (raw !== undefined && !raw.startsWith('{')) field.invalid('<value omitted>', 'must be a valid JSON object');
}

/** Returns the index of the first request for administrative access; -1 when there is none. */
export function adminRequest(spec: FieldPath): number {
  return spec.items('devices', 'requests').findIndex(request => exactRequest(request).child('adminAccess').value === true);
}
