import { quote } from '../../go/quote.js';
import { copyOf, ensureMap, listAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { conditionFields } from '../lifecycle/condition-fields.js';
import { kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';
import { levelKind, schemaKind } from './flow-kinds.js';

/** Keeps the condition `Dangling` of flow schemas: whether their priority level is missing. Source: apiserver util/flowcontrol/apf_controller.go. */
export function followFlowSchemas(store: Store, now: () => Date): void {
  const [schemas, levels] = [schemaKind, levelKind].map(kindName);
  store.subscribe(({ collection, object, previous }) => {
    if (collection === schemas && object !== undefined)
      settle(store.find(schemaKind, '', stringAt(object, 'metadata', 'name')), store, now);
    // A change of a level does not change its name.
    if (collection !== levels || (object !== undefined && previous !== undefined)) return;
    for (const schema of store.list(schemaKind)) settle(schema, store, now);
  });
}

function settle(schema: ValueMap | undefined, store: Store, now: () => Date): void {
  if (schema === undefined) return;
  const wanted = conditionOf(stringAt(schema, 'spec', 'priorityLevelConfiguration', 'name'), store);
  const before = listAt(schema, 'status', 'conditions');
  const old = before.find(condition => stringAt(condition, 'type') === 'Dangling');
  if ((['status', 'reason', 'message'] as const).every(name => stringAt(old, name) === wanted[name])) return;
  const time = timestampOf(now());
  const { status, ...why } = wanted;
  const written = toValue({ type: 'Dangling', status, lastTransitionTime: time, ...why });
  const changed = copyOf(schema);
  ensureMap(changed, 'status').set('conditions', [...before.filter(condition => condition !== old), written]);
  ensureMap(changed, 'metadata').set('managedFields', [conditionOwner(time), ...otherOwners(changed)]);
  store.update(changed, stringAt(schema, 'metadata', 'resourceVersion'));
}

interface Dangling {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

function conditionOf(level: string, store: Store): Dangling {
  const named = `This FlowSchema references the PriorityLevelConfiguration object named ${quote(level)}`;
  return store.find(levelKind, '', level) === undefined
    ? { status: 'True', reason: 'NotFound', message: `${named} but there is no such object` }
    : { status: 'False', reason: 'Found', message: `${named} and it exists` };
}

const manager = 'api-priority-and-fairness-config-consumer-v1';

function otherOwners(schema: ValueMap): Value[] {
  return listAt(schema, 'metadata', 'managedFields').filter(entry => stringAt(entry, 'manager') !== manager);
}

function conditionOwner(time: string): Value {
  return toValue({
    manager,
    operation: 'Apply',
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:status': { 'f:conditions': conditionFields('Dangling') } },
    subresource: 'status',
  });
}
