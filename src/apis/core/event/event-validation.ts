import { finalizerNameErrors } from '../../../apiserver/registry/object-errors.js';
import { objectMetaErrors } from '../../../apiserver/registry/object-meta.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { memberValue, sameMember } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { dns1123SubdomainProblems, labelKeyProblems } from '../../../kubernetes/name-rules.js';
import type { Resource } from '../../../kubernetes/resource-table.js';

/** Validation of core events; their metadata is validated last. Source: core/validation events.go. */
export const coreEventRules: KindRules = { create: checkCore, metadataLast: true, update: [checkCore] };

/** Returns the validation of events.k8s.io events, whose errors use the core group's field names. */
export function eventRulesOf(resource: Resource): KindRules {
  const create = (event: FieldPath): void => {
    checkLegacy(renamed(event), 'reportingController');
    const own = event.members();
    event.add(objectMetaErrors(event.server, own, resource, dns1123SubdomainProblems), finalizerNameErrors(event.server, own, resource));
    checkSeries(event);
    if (event.text('eventTime') === '') event.child('eventTime').required();
    const type = event.text('type');
    if (type !== 'Normal' && type !== 'Warning') event.child('type').invalid('', `has invalid value: ${type}`);
    const unset = [
      ['deprecatedFirstTimestamp', 'firstTimestamp'],
      ['deprecatedLastTimestamp', 'lastTimestamp'],
      ['deprecatedCount', 'count'],
      ['deprecatedSource', 'source'],
    ] as const;
    for (const [name, shown] of unset) if (isGiven(event.child(name))) event.shownAt(shown).invalid('', 'needs to be unset');
  };
  const update = (event: FieldPath): void => checkLegacy(renamed(event), 'reportingController');
  return { create, metadataLast: true, update: [update, 'changes', keepEvent] };
}

/** Immutable fields, by the names of the core group. The reason is validated twice. */
const kept: readonly (readonly [own: string, shown: string])[] = [
  ['regarding', 'involvedObject'],
  ['reason', 'reason'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingController', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

/** Source: core/validation ValidateEventUpdate. */
function keepEvent(event: FieldPath, old: FieldPath): void {
  const type = 'events/v1.Event';
  if (!sameMember(event.server, event.child('series').value, old.child('series').value, { type, name: 'series' })) checkSeries(event);
  for (const [name, shown] of kept) {
    const now = event.child(name);
    if (!sameMember(event.server, now.value, old.child(name).value, { type, name }))
      now.shownAt(shown).invalid(memberValue(event.server, now.value, { type, name }), 'field is immutable');
  }
}

function isGiven(field: FieldPath): boolean {
  if (field.value instanceof Map) return field.text('component') !== '' || field.text('host') !== '';
  return field.isSet() && field.value !== 0n;
}

/** Returns an event with the core group's field names. */
function renamed(event: FieldPath): FieldPath {
  const own = event.members();
  const core = new Map(own);
  for (const [from, to] of [
    ['regarding', 'involvedObject'],
    ['note', 'message'],
    ['reportingController', 'reportingComponent'],
  ] as const) {
    const value = own.get(from);
    if (value !== undefined) core.set(to, value);
  }
  return event.withValue(core);
}

function checkSeries(event: FieldPath): void {
  const series = event.child('series');
  if (!series.isSet()) return;
  if (series.number('count') < 2n) event.shownAt('series.count').invalid('', 'should be at least 2');
  if (series.text('lastObservedTime') === '') event.shownAt('series.lastObservedTime').required();
}

function checkCore(event: FieldPath): void {
  checkLegacy(event, 'reportingComponent');
}

function checkLegacy(event: FieldPath, controllerName: string): void {
  const namespace = event.text('metadata', 'namespace');
  const involved = event.child('involvedObject', 'namespace');
  const isNew = event.text('eventTime') !== '';
  const mayBeElsewhere = isNew ? ['default', 'kube-system'] : ['', 'default'];
  const wrong = involved.text() === '' ? !mayBeElsewhere.includes(namespace) : !isNew && namespace !== involved.text();
  if (wrong) involved.invalid('does not match event.namespace');
  if (isNew) checkNewFields(event, controllerName);
  event.shownAt('namespace').invalidEach(namespace, dns1123SubdomainProblems(namespace));
}

function checkNewFields(event: FieldPath, controllerName: string): void {
  const controller = event.child('reportingComponent').shownAt(controllerName);
  if (controller.text() === '') controller.required();
  controller.invalidEach(controller.text(), labelKeyProblems(event.server, controller.text()));
  for (const name of ['reportingInstance', 'action', 'reason']) {
    const field = event.child(name);
    if (field.text() === '') field.required();
    if (Buffer.byteLength(field.text()) > 128) field.invalid('', 'can have at most 128 characters');
  }
  if (Buffer.byteLength(event.text('message')) > 1024) event.child('message').invalid('', 'can have at most 1024 characters');
}
