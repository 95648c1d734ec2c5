import type { Strategy } from '../apiserver/registry/strategy.js';
import { isList, isMap, type Value, type ValueMap } from '../go/value.js';
import { remembered } from '../kubernetes/remembered.js';
import type { Resource } from '../kubernetes/resource-table.js';

/** A field behind a feature gate that is off: the places of it, `*` for every item of a list or value of a map. */
type DisabledField = readonly string[];

const containers = ['containers', 'initContainers', 'ephemeralContainers'];

/** Fields of pods, below the spec. */
const inPods: readonly DisabledField[] = [
  containers.map(list => `${list}.*.lifecycle.stopSignal`),
  ['volumes.*.projected.sources.*.clusterTrustBundle'],
  ['volumes.*.projected.sources.*.podCertificate'],
  ['schedulingGroup'],
];

const inTemplates = below('spec.template.spec', inPods);

/** In these the device of the first versions was a member of its own. */
const devices = ['spec.devices.*', 'spec.devices.*.basic'];

/** By `resource.group`, whatever the version. Source: the gates that are off in kubernetes pkg/features/kube_features.go, and who asks for them. */
const disabledFields: ReadonlyMap<string, readonly DisabledField[]> = new Map([
  ['pods.', [...below('spec', inPods), ['status.nodeAllocatableResourceClaimStatuses']]],
  ['podtemplates.', below('template.spec', inPods)],
  ['replicationcontrollers.', inTemplates],
  ['replicasets.apps', inTemplates],
  ['deployments.apps', inTemplates],
  ['daemonsets.apps', inTemplates],
  ['statefulsets.apps', [...inTemplates, ['spec.updateStrategy.rollingUpdate.maxUnavailable']]],
  ['jobs.batch', inTemplates],
  ['cronjobs.batch', below('spec.jobTemplate.spec.template.spec', inPods)],
  ['leases.coordination.k8s.io', [['spec.strategy'], ['spec.preferredHolder']]],
  ['csidrivers.storage.k8s.io', [['spec.preventPodSchedulingIfMissing']]],
  [
    'resourceslices.resource.k8s.io',
    [
      devices.map(device => `${device}.nodeAllocatableResourceMappings`),
      devices.flatMap(device => ['ints', 'bools', 'strings', 'versions'].map(name => `${device}.attributes.*.${name}`)),
    ],
  ],
]);

/** Kinds whose generation counts a change of fields that are dropped after it. Source: kubernetes pkg/registry/resource/resourceslice/strategy.go. */
const countsWhatIsDropped: ReadonlySet<string> = new Set(['resourceslices']);

function below(prefix: string, fields: readonly DisabledField[]): DisabledField[] {
  return fields.map(paths => paths.map(path => `${prefix}.${path}`));
}

/** The same as steps, made once. */
const stepsOf = remembered((fields: readonly DisabledField[]) => fields.map(paths => paths.map(path => path.split('.'))));

/** A strategy that first drops the fields of features that are off, unless the stored object has them already. */
export function withoutDisabledFields(strategy: Strategy, { resource, group }: Resource): Strategy {
  const fields = disabledFields.get(`${resource}.${group}`);
  if (fields === undefined) return strategy;
  const drop = (object: ValueMap, old: ValueMap | undefined): void => {
    for (const paths of stepsOf(fields)) {
      const inUse = old !== undefined && paths.some(steps => visit(old, { steps, found: () => undefined }, 0));
      if (!inUse) for (const steps of paths) visit(object, { steps, found: (holder, key) => holder.delete(key) }, 0);
    }
  };
  return {
    ...strategy,
    prepareForCreate: (object, context) => {
      drop(object, undefined);
      strategy.prepareForCreate(object, context);
    },
    prepareForUpdate: (object, old, context) => {
      const dropsFirst = !countsWhatIsDropped.has(resource);
      if (dropsFirst) drop(object, old);
      strategy.prepareForUpdate(object, old, context);
      if (!dropsFirst) drop(object, old);
    },
  };
}

interface Search {
  readonly steps: readonly string[];
  readonly found: (holder: ValueMap, key: string) => void;
}

/** Calls back for every place of a path that is there, of which so many steps are taken; says whether there was one. */
function visit(value: Value, search: Search, taken: number): boolean {
  const { steps, found } = search;
  const step = steps[taken] ?? '';
  if (step === '*') {
    const items = isList(value) ? value : isMap(value) ? [...value.values()] : [];
    return items.map(item => visit(item, search, taken + 1)).includes(true);
  }
  const inner = isMap(value) ? value.get(step) : undefined;
  if (!isMap(value) || inner === undefined) return false;
  if (taken + 1 < steps.length) {
    const isThere = visit(inner, search, taken + 1);
    // A lifecycle of a stop signal only goes with it.
    if (isThere && step === 'lifecycle' && isMap(inner) && inner.size === 0) value.delete(step);
    return isThere;
  }
  found(value, step);
  return true;
}
