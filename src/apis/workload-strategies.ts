import { countGeneration, equalIn, restore } from '../apiserver/registry/common-strategy.js';
import type { Refinement } from '../apiserver/registry/strategy.js';
import { ensureMap, mapAt, stringAt, type ValueMap } from '../go/value.js';

/** A deployment's annotations count as a change too. Source: kubernetes pkg/registry/apps/deployment/strategy.go. */
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

const templateGeneration = 'deprecated.daemonset.template.generation';

/** Counts changes of the template in an annotation. Source: kubernetes pkg/registry/apps/daemonset/strategy.go. */
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
      own !== undefined && stored !== undefined && !equalIn(context.resource, 'spec', withTemplate(own), withTemplate(stored));
    setTemplateGeneration(object, changed ? before + 1n : before);
  },
});

/** It is a field of the specification, shown as an annotation. */
function setTemplateGeneration(object: ValueMap, generation: bigint): void {
  ensureMap(ensureMap(object, 'metadata'), 'annotations').set(templateGeneration, String(generation));
}

/** Only the template has generations. Source: kubernetes pkg/registry/core/podtemplate/strategy.go. */
export const podTemplate: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old, { resource }) => {
    if (!equalIn(resource, 'template', object, old)) countGeneration(object, old);
  },
});

/** The value of a class never changes, and nothing counts its generations after creation. */
export const priorityClass: Refinement = base => ({ ...base, prepareForUpdate: () => undefined });

/** Gets its first generation with its first change. Source: kubernetes pkg/registry/storage/csidriver/strategy.go. */
export const csiDriver: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (!equalIn(context.resource, 'spec', object, old)) countGeneration(object, old);
  },
});

/** Flow control settings: through /status nothing of the metadata changes. Source: kubernetes pkg/registry/flowcontrol. */
export const flowControl: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource !== 'status') return;
    const managedFields = mapAt(object, 'metadata')?.get('managedFields');
    restore(object, old, 'metadata');
    if (managedFields !== undefined) ensureMap(object, 'metadata').set('managedFields', managedFields);
  },
});

function withTemplate(of: ValueMap): ValueMap {
  return new Map([['spec', new Map([['template', mapAt(of, 'spec') ?? new Map()]])]]);
}

function numberIn(annotations: ValueMap | undefined): bigint {
  const text = stringAt(annotations, templateGeneration);
  return /^-?\d+$/.test(text) ? BigInt(text) : 0n;
}

function sameAnnotations(a: ValueMap, b: ValueMap): boolean {
  const texts = [a, b].map(o => JSON.stringify([...(mapAt(o, 'metadata', 'annotations') ?? [])].sort()));
  return texts[0] === texts[1];
}
