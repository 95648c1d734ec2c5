import { countGeneration } from '../../../apiserver/registry/common-strategy.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { ensureMap, mapAt, type ValueMap } from '../../../go/value.js';

/**
 * Strategy of deployments: changes of the annotations raise the generation too. Source: kubernetes
 * pkg/registry/apps/deployment/strategy.go.
 */
export const deployment: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource === 'status') {
      const labels = mapAt(old, 'metadata', 'labels');
      if (labels === undefined) ensureMap(object, 'metadata').delete('labels');
      else ensureMap(object, 'metadata').set('labels', labels);
      return;
    }
    if (!sameAnnotations(object, old)) countGeneration(object, old);
  },
});

function sameAnnotations(a: ValueMap, b: ValueMap): boolean {
  const texts = [a, b].map(o => JSON.stringify([...(mapAt(o, 'metadata', 'annotations') ?? [])].sort()));
  return texts[0] === texts[1];
}
