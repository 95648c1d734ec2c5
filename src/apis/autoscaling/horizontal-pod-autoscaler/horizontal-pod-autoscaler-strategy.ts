import { countGeneration, restore } from '../../../apiserver/registry/common-strategy.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { ensureMap, mapAt, stringAt, type ValueMap, valueAt } from '../../../go/value.js';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const ofStatus = ['current-metrics', 'conditions'];
const ofSpec = ['metrics', 'behavior', 'scale-up-tolerance', 'scale-down-tolerance'];

/**
 * Strategy of autoscalers: annotations hold the fields that the first version lacks, and belong to the spec or the status. Source:
 * kubernetes pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go, pkg/apis/autoscaling/v1/conversion.go.
 */
export const horizontalPodAutoscaler: Refinement = base => ({
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
