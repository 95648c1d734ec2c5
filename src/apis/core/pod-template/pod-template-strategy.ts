import { countGeneration, equalIn } from '../../../apiserver/registry/common-strategy.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';

/** Strategy of pod templates: only the template has generations. Source: kubernetes pkg/registry/core/podtemplate/strategy.go. */
export const podTemplate: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old, { resource, server }) => {
    if (!equalIn(server, resource, 'template', object, old)) countGeneration(object, old);
  },
});
