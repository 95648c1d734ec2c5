import { restore } from '../../../apiserver/registry/common-strategy.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { ensureMap, mapAt, type ValueMap } from '../../../go/value.js';

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
    if (context.resource.version === 'v1') restoreAnnotations(object, old, context.subresource === 'status' ? ofSpec : ofStatus);
  },
});

function restoreAnnotations(object: ValueMap, old: ValueMap, names: readonly string[]): void {
  const stored = mapAt(old, 'metadata', 'annotations') ?? new Map();
  const metadata = ensureMap(object, 'metadata');
  const annotations = ensureMap(metadata, 'annotations');
  for (const name of names) restore(annotations, stored, `${prefix}${name}`);
  if (annotations.size === 0) metadata.delete('annotations');
}
