import { finalizerNameErrors } from '../../../apiserver/registry/object-errors.js';
import { objectMetaErrors } from '../../../apiserver/registry/object-meta.js';
import { memberValue, sameMember } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addErrors,
  addInvalid,
  addProblems,
  addRequired,
  at,
  isSet,
  mapOf,
  numberAt,
  type Place,
  shownAt,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { dns1123SubdomainProblems, labelKeyProblems } from '../../../kubernetes/name-rules.js';
import type { Resource } from '../../../kubernetes/resource-table.js';

/** Validation of core events; their metadata is validated last. Source: core/validation events.go. */
export const coreEventRules: KindRules = { create: checkCore, metadataLast: true, update: [checkCore] };

/** Returns the validation of events.k8s.io events, whose errors use the core group's field names. */
export function eventRulesOf(resource: Resource): KindRules {
  const create = (event: Place): void => {
    checkLegacy(renamed(event), 'reportingController');
    const own = mapOf(event);
    addErrors(
      event,
      objectMetaErrors(event.server, own, resource, dns1123SubdomainProblems),
      finalizerNameErrors(event.server, own, resource),
    );
    checkSeries(event);
    if (textAt(event, 'eventTime') === '') addRequired(at(event, 'eventTime'));
    const type = textAt(event, 'type');
    if (type !== 'Normal' && type !== 'Warning') addInvalid(at(event, 'type'), `has invalid value: ${type}`, '');
    const unset = [
      ['deprecatedFirstTimestamp', 'firstTimestamp'],
      ['deprecatedLastTimestamp', 'lastTimestamp'],
      ['deprecatedCount', 'count'],
      ['deprecatedSource', 'source'],
    ] as const;
    for (const [name, shown] of unset) if (isGiven(at(event, name))) addInvalid(shownAt(event, shown), 'needs to be unset', '');
  };
  const update = (event: Place): void => checkLegacy(renamed(event), 'reportingController');
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
function keepEvent(event: Place, old: Place): void {
  const type = 'events/v1.Event';
  if (!sameMember(event.server, at(event, 'series').value, at(old, 'series').value, { type, name: 'series' })) checkSeries(event);
  for (const [name, shown] of kept) {
    const now = at(event, name);
    if (!sameMember(event.server, now.value, at(old, name).value, { type, name }))
      addInvalid(shownAt(now, shown), 'field is immutable', memberValue(event.server, now.value, { type, name }));
  }
}

function isGiven(place: Place): boolean {
  if (place.value instanceof Map) return textAt(place, 'component') !== '' || textAt(place, 'host') !== '';
  return isSet(place) && place.value !== 0n;
}

/** Returns an event with the core group's field names. */
function renamed(event: Place): Place {
  const own = mapOf(event);
  const core = new Map(own);
  for (const [from, to] of [
    ['regarding', 'involvedObject'],
    ['note', 'message'],
    ['reportingController', 'reportingComponent'],
  ] as const) {
    const value = own.get(from);
    if (value !== undefined) core.set(to, value);
  }
  return { ...event, value: core };
}

function checkSeries(event: Place): void {
  const series = at(event, 'series');
  if (!isSet(series)) return;
  if (numberAt(series, 'count') < 2n) addInvalid(shownAt(event, 'series.count'), 'should be at least 2', '');
  if (textAt(series, 'lastObservedTime') === '') addRequired(shownAt(event, 'series.lastObservedTime'));
}

function checkCore(event: Place): void {
  checkLegacy(event, 'reportingComponent');
}

function checkLegacy(event: Place, controllerName: string): void {
  const namespace = textAt(event, 'metadata', 'namespace');
  const involved = at(event, 'involvedObject', 'namespace');
  const isNew = textAt(event, 'eventTime') !== '';
  const mayBeElsewhere = isNew ? ['default', 'kube-system'] : ['', 'default'];
  const wrong = textOf(involved) === '' ? !mayBeElsewhere.includes(namespace) : !isNew && namespace !== textOf(involved);
  if (wrong) addInvalid(involved, 'does not match event.namespace');
  if (isNew) checkNewFields(event, controllerName);
  addProblems(shownAt(event, 'namespace'), dns1123SubdomainProblems(namespace), namespace);
}

function checkNewFields(event: Place, controllerName: string): void {
  const controller = shownAt(at(event, 'reportingComponent'), controllerName);
  if (textOf(controller) === '') addRequired(controller);
  addProblems(controller, labelKeyProblems(event.server, textOf(controller)), textOf(controller));
  for (const name of ['reportingInstance', 'action', 'reason']) {
    const place = at(event, name);
    if (textOf(place) === '') addRequired(place);
    if (Buffer.byteLength(textOf(place)) > 128) addInvalid(place, 'can have at most 128 characters', '');
  }
  if (Buffer.byteLength(textAt(event, 'message')) > 1024) addInvalid(at(event, 'message'), 'can have at most 1024 characters', '');
}
