import type { DeletionRules } from '../../../apiserver/registry/deletion-rules.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkOneOf } from '../../../apiserver/registry/validation/rules.js';
import { forbidden } from '../../../kubernetes/status-errors.js';

/** Source: scheduling/validation ValidatePriorityClass. */
const priorityClassRules: KindRules = { create: checkPriorityClass, update: ['changes', keepPriorityClass] };

const systemClasses: ReadonlyMap<string, bigint> = new Map([
  ['system-node-critical', 2_000_001_000n],
  ['system-cluster-critical', 2_000_000_000n],
]);

function checkPriorityClass(field: FieldPath): void {
  const [name, value] = [field.text('metadata', 'name'), field.number('value')];
  if (name.startsWith('system-')) {
    const why = systemProblem(field, name);
    if (why !== undefined)
      field
        .child('metadata', 'name')
        .forbidden(`priority class names with 'system-' prefix are reserved for system use only. error: ${why}`);
  } else if (value > 1_000_000_000n) field.child('value').forbidden('maximum allowed value of a user defined priority is 1000000000');
  if (field.child('preemptionPolicy').isSet()) checkOneOf(field.child('preemptionPolicy'), ['PreemptLowerPriority', 'Never']);
}

function systemProblem(field: FieldPath, name: string): string | undefined {
  const value = systemClasses.get(name);
  if (value === undefined) return `${name} is not a known system priority class`;
  if (value !== field.number('value')) return `value of ${name} PriorityClass must be ${value}`;
  return field.child('globalDefault').value === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function keepPriorityClass(now: FieldPath, old: FieldPath): void {
  if (now.server.since('v1.38')) checkImmutable(now, old, { type: 'scheduling/v1.PriorityClass', name: 'value' });
  else if (now.number('value') !== old.number('value')) now.child('value').forbidden('may not be changed in an update.');
  checkImmutable(now, old, { type: 'scheduling/v1.PriorityClass', name: 'preemptionPolicy' });
}

const resource = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };

/** Source: kubernetes pkg/registry/scheduling/priorityclass/storage. */
const priorityClassDeletion: DeletionRules = {
  checkName: name => {
    if (name !== 'system-cluster-critical' && name !== 'system-node-critical') return;
    throw forbidden(resource, name, 'this is a system priority class and cannot be deleted');
  },
};

/** Strategy of priority classes: the value is immutable, and the generation is not raised after creation. */
const priorityClass: Refinement = base => ({ ...base, prepareForUpdate: () => undefined });

/** PriorityClass. */
export const priorityClassKind: KindDefinition = {
  refine: priorityClass,
  validation: priorityClassRules,
  hasGeneration: true,
  deletion: priorityClassDeletion,
};
