import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { nameInRefusal } from '../apiserver/admission/name-in-refusal.js';
import { ensureMap, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import type { StatusError } from '../kubernetes/status.js';
import { forbidden } from '../kubernetes/status-errors.js';

const kind = { group: 'scheduling.k8s.io', kind: 'PriorityClass' };

/**
 * Priority: sets the priority of a pod from its class, and allows only one default class. Source: kubernetes plugin/pkg/admission/priority.
 */
export const priority: AdmissionPlugin = {
  name: 'Priority',
  operations: ['CREATE', 'UPDATE'],
  admit: (attributes, context) => {
    const { resource, subresource, operation, object, oldObject } = attributes;
    if (operation === 'CREATE' && subresource === '' && resource.group === kind.group && object !== undefined) {
      const group = groups(context.server).get(resource.resource);
      if (group !== undefined && context.server.isEnabled(group.gate))
        setGroupPriority(object.value, { attributes, called: group.called }, context);
    }
    if (resource.group !== '' || resource.resource !== 'pods' || subresource !== '' || object === undefined) return;
    const spec = ensureMap(object.value, 'spec');
    if (operation === 'CREATE') setPriority(spec, attributes, context);
    else keepPriority(spec, mapAt(oldObject?.value, 'spec'));
  },
  validate: (attributes, { storage }) => {
    const { resource, operation, object, name } = attributes;
    if (resource.group !== kind.group || resource.resource !== 'priorityclasses' || valueAt(object?.value, 'globalDefault') !== true)
      return;
    const other = storage.list(kind).find(c => c.get('globalDefault') === true);
    if (other === undefined || (operation === 'UPDATE' && stringAt(other, 'metadata', 'name') === name)) return;
    throw refusal(
      attributes,
      `PriorityClass ${stringAt(other, 'metadata', 'name')} is already marked as default. Only one default can exist`,
    );
  },
};

/** Kinds of groups of pods, with the gate of their priority and how a refusal names them. */
function groups(server: ApiServer): ReadonlyMap<string, { readonly gate: string; readonly called: string }> {
  const pods = { gate: server.since('v1.37') ? 'GenericWorkload' : 'WorkloadAwarePreemption', called: 'pod group' };
  return new Map([
    ['podgroups', pods],
    ['compositepodgroups', { gate: 'CompositePodGroup', called: 'composite pod group' }],
  ]);
}

/** Sets the priority of a group of pods. Source: kubernetes plugin/pkg/admission/priority admitPodGroup. */
function setGroupPriority(
  group: ValueMap,
  { attributes, called }: { readonly attributes: Attributes; readonly called: string },
  context: AdmissionContext,
): void {
  const spec = ensureMap(group, 'spec');
  const found = classOf(spec, attributes, context);
  const value = found?.get('value') ?? 0n;
  const given = spec.get('priority');
  if (typeof given === 'bigint' && given !== value) {
    const message = `priority set in the ${called} (${given}) must match the priority computed (${String(value)}) based on the priority class set in the spec`;
    throw refusal(attributes, message);
  }
  if (found !== undefined) spec.set('priorityClassName', stringAt(found, 'metadata', 'name'));
  spec.set('priority', value);
  if (!context.server.isEnabled('PodGroupPreemptionPolicy')) return;
  const policy = stringAt(found, 'preemptionPolicy') || 'PreemptLowerPriority';
  const givenPolicy = spec.get('preemptionPolicy');
  if (typeof givenPolicy === 'string' && givenPolicy !== policy) {
    const message = `the string value of PreemptionPolicy (${givenPolicy}) must not be provided in ${called} spec; priority admission controller computed ${policy} from the given PriorityClass name`;
    throw refusal(attributes, message);
  }
  spec.set('preemptionPolicy', policy);
}

function setPriority(spec: ValueMap, attributes: Attributes, context: AdmissionContext): void {
  const found = classOf(spec, attributes, context);
  const value = found?.get('value') ?? 0n;
  const policy = stringAt(found, 'preemptionPolicy') || 'PreemptLowerPriority';
  const given = spec.get('priority');
  if (typeof given === 'bigint' && given !== value) {
    throw refusal(
      attributes,
      `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${String(value)} from the given PriorityClass name`,
    );
  }
  const givenPolicy = spec.get('preemptionPolicy');
  if (typeof givenPolicy === 'string' && givenPolicy !== policy) {
    throw refusal(
      attributes,
      `the string value of PreemptionPolicy (${givenPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  if (found !== undefined) spec.set('priorityClassName', stringAt(found, 'metadata', 'name'));
  spec.set('priority', value);
  spec.set('preemptionPolicy', policy);
}

/** Returns the named class, or the default one: of several the one with the lowest value. */
function classOf(spec: ValueMap, attributes: Attributes, { storage }: AdmissionContext): ValueMap | undefined {
  const name = stringAt(spec, 'priorityClassName');
  if (name === '') {
    const defaults = storage.list(kind).filter(c => c.get('globalDefault') === true);
    return defaults.sort((a, b) => Number(a.get('value')) - Number(b.get('value')))[0];
  }
  const found = storage.find(kind, '', name);
  if (found === undefined) throw refusal(attributes, `no PriorityClass with name ${name} was found`);
  return found;
}

function keepPriority(spec: ValueMap, old: ValueMap | undefined): void {
  for (const field of ['priority', 'preemptionPolicy']) {
    const stored: Value | undefined = old?.get(field);
    if (spec.get(field) === undefined && stored !== undefined) spec.set(field, stored);
  }
}

function refusal(attributes: Attributes, message: string): StatusError {
  return forbidden(attributes.resource, nameInRefusal(attributes), message);
}
