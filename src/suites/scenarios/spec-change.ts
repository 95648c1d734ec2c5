import { type StructuralSchema, structuralSchemaOf } from '../../apiserver/objects/structural-schema.js';
import { ownMember } from '../../go/own-members.js';
import { ensureMap, isMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { kindOf } from '../../kubernetes/storage.js';

/**
 * Changes the object's spec in place so that the API server accepts it; undefined if no such change is known. Each built-in kind has its
 * own; for custom resources it is the first field that is set and has another valid value.
 */
export function withChangedSpec(object: ValueMap, definition: ValueMap | undefined): ValueMap | undefined {
  if (definition !== undefined) return changeCustom(object, definition) ? object : undefined;
  const { group, kind } = kindOf(object);
  const change = ownMember(builtInChanges, group === '' ? kind : `${group}/${kind}`);
  return change?.(object) === true ? object : undefined;
}

/** Changes the object in place; false if there is nothing to change. */
type Change = (object: ValueMap) => boolean;

const ofTemplate: Change = object => changeImage(mapAt(object, 'spec', 'template', 'spec'));
const ofData: Change = object => set(ensureMap(object, 'data'), addedKey, object.get('kind') === 'Secret' ? 'eWVz' : 'yes');
const flipped =
  (field: string): Change =>
  object => {
    const spec = ensureMap(object, 'spec');
    return set(spec, field, spec.get(field) !== true);
  };

/** Increments a number that the object sets. */
const oneMore =
  (...fields: readonly string[]): Change =>
  object => {
    const spec = ensureMap(object, 'spec');
    const field = fields.find(name => typeof spec.get(name) === 'bigint');
    const number = field === undefined ? undefined : spec.get(field);
    return field !== undefined && typeof number === 'bigint' && set(spec, field, number + 1n);
  };
const oneRuleMore: Change = object => {
  const rule = toValue({ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: [addedKey] });
  return set(object, 'rules', [...listAt(object, 'rules'), rule]);
};

const addedKey = 'webhook-cli.dev.scenario';

/** Mutable fields of stored objects, by kind; most fields of a pod, job or volume are immutable. */
const builtInChanges: Readonly<Record<string, Change>> = {
  Pod: object => changeImage(mapAt(object, 'spec')),
  ReplicationController: ofTemplate,
  'apps/Deployment': ofTemplate,
  'apps/ReplicaSet': ofTemplate,
  'apps/StatefulSet': ofTemplate,
  'apps/DaemonSet': ofTemplate,
  'batch/Job': flipped('suspend'),
  'batch/CronJob': flipped('suspend'),
  ConfigMap: ofData,
  Secret: ofData,
  Node: flipped('unschedulable'),
  ResourceQuota: object => set(ensureMap(ensureMap(object, 'spec'), 'hard'), 'count/leases.coordination.k8s.io', '1000'),
  ServiceAccount: object => set(object, 'automountServiceAccountToken', object.get('automountServiceAccountToken') === false),
  'autoscaling/HorizontalPodAutoscaler': oneMore('maxReplicas'),
  'policy/PodDisruptionBudget': oneMore('minAvailable', 'maxUnavailable'),
  'coordination.k8s.io/Lease': oneMore('leaseDurationSeconds'),
  'rbac.authorization.k8s.io/Role': oneRuleMore,
  'rbac.authorization.k8s.io/ClusterRole': oneRuleMore,
  'networking.k8s.io/NetworkPolicy': object =>
    set(ensureMap(ensureMap(ensureMap(object, 'spec'), 'podSelector'), 'matchLabels'), addedKey, 'yes'),
  'networking.k8s.io/Ingress': object => set(ensureMap(object, 'spec'), 'ingressClassName', addedKey),
  'storage.k8s.io/StorageClass': object => set(object, 'allowVolumeExpansion', object.get('allowVolumeExpansion') !== true),
  'scheduling.k8s.io/PriorityClass': object => set(object, 'description', `${stringAt(object, 'description')} (changed)`),
  Service: object => {
    const spec = ensureMap(object, 'spec');
    return set(spec, 'sessionAffinity', spec.get('sessionAffinity') === 'ClientIP' ? 'None' : 'ClientIP');
  },
};

/** The first container's image with another tag: the only container field that is mutable in every kind. */
function changeImage(podSpec: ValueMap | undefined): boolean {
  const container = mapAt(listAt(podSpec, 'containers')[0]);
  const image = stringAt(container, 'image');
  if (container === undefined || image === '') return false;
  const name = image.replace(/@.*$/, '').replace(/:[^/:]*$/, '');
  return set(container, 'image', `${name}:${image.endsWith(':changed') ? 'changed-again' : 'changed'}`);
}

function set(map: ValueMap, key: string, value: Value): boolean {
  map.set(key, value);
  return true;
}

/** Immutable by a validation rule of the definition: the API server reports it, and the case fails visibly. */
function changeCustom(object: ValueMap, definition: ValueMap): boolean {
  const schema = structuralSchemaOf(definition, kindOf(object).version).properties.get('spec');
  const spec = mapAt(object, 'spec');
  return schema !== undefined && spec !== undefined && changeFirst(spec, schema);
}

function changeFirst(map: ValueMap, schema: StructuralSchema): boolean {
  for (const [key, value] of map) {
    const known = schema.properties.get(key);
    if (known === undefined) continue;
    if (isMap(value) ? changeFirst(value, known) : changeLeaf(map, key, known)) return true;
  }
  return false;
}

function changeLeaf(map: ValueMap, key: string, { type, source }: StructuralSchema): boolean {
  const value = map.get(key);
  const other = listAt(source, 'enum').find(choice => choice !== value);
  if (source.has('enum')) return other !== undefined && set(map, key, other);
  if (type === 'boolean' && typeof value === 'boolean') return set(map, key, !value);
  if (type === 'integer' && typeof value === 'bigint') {
    const maximum = valueAt(source, 'maximum');
    return set(map, key, typeof maximum === 'bigint' && value >= maximum ? value - 1n : value + 1n);
  }
  const isFree = ['pattern', 'format', 'maxLength'].every(rule => !source.has(rule));
  return type === 'string' && typeof value === 'string' && isFree ? set(map, key, `${value}-changed`) : false;
}
