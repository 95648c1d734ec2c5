import { countGeneration, equalIn } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { isMap, listAt, mapAt } from '../../../go/value.js';
import { endpointSliceRules } from './endpoint-slice-validation.js';

/** Source: kubernetes pkg/registry/discovery/endpointslice/strategy.go. */
const endpointSlice: Refinement = base => {
  const dropDeprecated = (object: Parameters<typeof base.prepareForCreate>[0]): void => {
    for (const endpoint of listAt(object, 'endpoints')) if (isMap(endpoint)) endpoint.delete('deprecatedTopology');
  };
  return {
    ...base,
    prepareForCreate: (object, context) => {
      base.prepareForCreate(object, context);
      dropDeprecated(object);
    },
    prepareForUpdate: (object, old, { resource, server }) => {
      dropDeprecated(object);
      const same =
        ['endpoints', 'ports', 'addressType'].every(key => equalIn(server, resource, key, object, old)) && sameLabels(object, old);
      if (!same) countGeneration(object, old);
    },
  };
};

function sameLabels(a: Parameters<typeof mapAt>[0], b: Parameters<typeof mapAt>[0]): boolean {
  const texts = [a, b].map(o => JSON.stringify([...(mapAt(o, 'metadata', 'labels') ?? [])].sort()));
  return texts[0] === texts[1];
}

/** EndpointSlice. */
export const endpointSliceKind: KindDefinition = { refine: endpointSlice, validation: endpointSliceRules, hasGeneration: true };
