import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { ensureMap, listAt, mapAt, toValue, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import { labelsOf } from '../../../kubernetes/label-selector.js';
import { timestampOf } from '../../../kubernetes/timestamp.js';
import { defaultPodLevelResources } from './defaults/pod-template-defaults.js';
import { preparePodUpdate } from './prepare-pod-update.js';
import { copyAppArmorAnnotations } from './validation/app-armor.js';
import { computedQosClass, qosClassOf } from './validation/qos-class.js';

/** Source: kubernetes pkg/registry/core/pod/strategy.go. */
export const pod: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    const spec = mapAt(object, 'spec');
    if (spec !== undefined) defaultPodLevelResources(context.server, spec);
    // Up to v1.36 the class that a client sent is kept.
    const qosClass = context.server.since('v1.37') ? computedQosClass(context.server, spec) : qosClassOf(context.server, object);
    base.prepareForCreate(object, context);
    object.set('status', toValue({ phase: 'Pending', qosClass }));
    if (listAt(spec, 'schedulingGates').length > 0)
      ensureMap(object, 'status').set('conditions', [gatedCondition(timestampOf(context.effects.now()))]);
    mergeLabelKeys(object);
    copyAppArmorAnnotations(object, context.record.warnings);
  },
  prepareForUpdate: preparePodUpdate,
});

/** Returns the condition of a pod with scheduling gates. */
function gatedCondition(now: string): Value {
  return toValue({
    type: 'PodScheduled',
    status: 'False',
    lastTransitionTime: now,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  });
}

/** Copies the pod's own label values into the selectors that refer to them by key. */
function mergeLabelKeys(object: ValueMap): void {
  const labels = labelsOf(object);
  const affinities = ['podAffinity', 'podAntiAffinity'].map(name => mapAt(object, 'spec', 'affinity', name));
  for (const term of affinities.flatMap(termsOf)) {
    addExpressions(term, 'matchLabelKeys', { operator: 'In', labels });
    addExpressions(term, 'mismatchLabelKeys', { operator: 'NotIn', labels });
  }
  for (const constraint of listAt(object, 'spec', 'topologySpreadConstraints'))
    addExpressions(constraint, 'matchLabelKeys', { operator: 'In', labels });
}

function termsOf(affinity: ValueMap | undefined): Value[] {
  const preferred = listAt(affinity, 'preferredDuringSchedulingIgnoredDuringExecution').map(p => valueAt(p, 'podAffinityTerm') ?? null);
  return [...listAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution'), ...preferred];
}

function addExpressions(term: Value, keys: string, { operator, labels }: { operator: string; labels: ReadonlyMap<string, string> }): void {
  const selector = mapAt(term, 'labelSelector');
  if (selector === undefined) return;
  const added = listAt(term, keys).flatMap(key => {
    const value = typeof key === 'string' ? labels.get(key) : undefined;
    return value === undefined ? [] : [toValue({ key, operator, values: [value] })];
  });
  if (added.length > 0) selector.set('matchExpressions', [...listAt(selector, 'matchExpressions'), ...added]);
}
