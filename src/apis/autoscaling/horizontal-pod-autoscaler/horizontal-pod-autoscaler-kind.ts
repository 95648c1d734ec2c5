import { countGeneration, restore } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import type { ValueMap } from '../../../go/value.js';
import { ensureMap, mapAt, stringAt, valueAt } from '../../../go/value.js';
import { checkCounts } from '../../core/replication-controller/replica-counts.js';
import { autoscalerRules } from './horizontal-pod-autoscaler-validation.js';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const ofStatus = ['current-metrics', 'conditions'];
const ofSpec = ['metrics', 'behavior', 'scale-up-tolerance', 'scale-down-tolerance'];

/**
 * Strategy of autoscalers: annotations hold the fields that the first version lacks, and belong to the spec or the status. Source:
 * kubernetes pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go, pkg/apis/autoscaling/v1/conversion.go.
 */
const horizontalPodAutoscaler: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    if (context.resource.version === 'v1') restoreAnnotations(object, new Map(), ofStatus);
  },
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.resource.version !== 'v1') return;
    restoreAnnotations(object, old, context.subresource === 'status' ? ofSpec : ofStatus);
    const isCounted = valueAt(object, 'metadata', 'generation') !== valueAt(old, 'metadata', 'generation');
    if (!isCounted && hasOtherSpec(object, old) && context.server.isEnabled('HPAGeneration')) countGeneration(object, old);
  },
});

/** Reports whether the annotations that belong to the spec changed. */
function hasOtherSpec(object: ValueMap, old: ValueMap): boolean {
  const textIn = (from: ValueMap, name: string): string => stringAt(from, 'metadata', 'annotations', `${prefix}${name}`);
  return ofSpec.some(name => textIn(object, name) !== textIn(old, name));
}

function restoreAnnotations(object: ValueMap, old: ValueMap, names: readonly string[]): void {
  const stored = mapAt(old, 'metadata', 'annotations') ?? new Map();
  const metadata = ensureMap(object, 'metadata');
  const annotations = ensureMap(metadata, 'annotations');
  for (const name of names) restore(annotations, stored, `${prefix}${name}`);
  if (annotations.size === 0) metadata.delete('annotations');
}

/** Source: autoscaling/validation ValidateHorizontalPodAutoscalerStatusUpdate. */
const autoscalerStatus: readonly UpdateStep[] = [
  'changes',
  object => {
    if (object.server.since('v1.37'))
      for (const condition of object.items('status', 'conditions')) checkCounts(condition, ['observedGeneration']);
  },
  object => checkCounts(object.child('status'), ['currentReplicas', 'desiredReplicas']),
];

/** HorizontalPodAutoscaler. */
export const horizontalPodAutoscalerKind: KindDefinition = {
  refine: horizontalPodAutoscaler,
  validation: autoscalerRules,
  subresources: { status: { update: autoscalerStatus } },
  gatedFields: [{ gates: ['HPAConfigurableTolerance'], paths: ['spec.behavior.scaleDown.tolerance', 'spec.behavior.scaleUp.tolerance'] }],
  hasGeneration: server => server.isEnabled('HPAGeneration'),
  resetsStatus: true,
};
