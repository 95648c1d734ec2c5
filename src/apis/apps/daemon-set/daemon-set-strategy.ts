import { equalIn } from '../../../apiserver/registry/common-strategy.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { ensureMap, mapAt, stringAt, type ValueMap } from '../../../go/value.js';

const templateGeneration = 'deprecated.daemonset.template.generation';

/** Strategy of daemon sets: counts changes of the template in an annotation. Source: kubernetes pkg/registry/apps/daemonset/strategy.go. */
export const daemonSet: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    const annotations = ensureMap(ensureMap(object, 'metadata'), 'annotations');
    if (numberIn(annotations) < 1n) annotations.set(templateGeneration, '1');
  },
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource === 'status') setTemplateGeneration(object, numberIn(mapAt(old, 'metadata', 'annotations')));
    if (context.subresource !== '') return;
    const templates = [object, old].map(o => new Map([['spec', mapAt(o, 'spec', 'template') ?? new Map()]]) as ValueMap);
    const [own, stored] = templates;
    const before = numberIn(mapAt(old, 'metadata', 'annotations'));
    const changed =
      own !== undefined &&
      stored !== undefined &&
      !equalIn(context.server, context.resource, 'spec', withTemplate(own), withTemplate(stored));
    setTemplateGeneration(object, changed ? before + 1n : before);
  },
});

/** Sets the spec field that is represented as an annotation. */
function setTemplateGeneration(object: ValueMap, generation: bigint): void {
  ensureMap(ensureMap(object, 'metadata'), 'annotations').set(templateGeneration, String(generation));
}

function withTemplate(of: ValueMap): ValueMap {
  return new Map([['spec', new Map([['template', mapAt(of, 'spec') ?? new Map()]])]]);
}

function numberIn(annotations: ValueMap | undefined): bigint {
  const text = stringAt(annotations, templateGeneration);
  return /^-?\d+$/.test(text) ? BigInt(text) : 0n;
}
