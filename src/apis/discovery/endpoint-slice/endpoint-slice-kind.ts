import { countGeneration, equalIn } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { isMap, listAt, mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { endpointSliceRules } from './endpoint-slice-validation.js';

/** Source: kubernetes pkg/registry/discovery/endpointslice/strategy.go. */
const endpointSlice: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    dropTopology(object, undefined);
  },
  // The generation counts topology that is dropped, too.
  prepareForUpdate: (object, old, { resource, server }) => {
    const isSame = (key: string): boolean => equalIn(server, resource, key, object, old);
    const hasSameEndpoints = isSame('endpoints');
    if (!(hasSameEndpoints && isSame('ports') && isSame('addressType') && sameLabels(object, old))) countGeneration(object, old);
    if (!hasSameEndpoints) dropTopology(object, old);
  },
});

const hostName = 'kubernetes.io/hostname';

/** Drops the topology of former versions; the name of a node that the old object has there becomes the field of its own. Source: dropTopologyOnV1. */
function dropTopology(object: ValueMap, old: ValueMap | undefined): void {
  const named = new Set(listAt(old, 'endpoints').map(endpoint => stringAt(endpoint, 'deprecatedTopology', hostName)));
  for (const endpoint of listAt(object, 'endpoints')) {
    if (!isMap(endpoint)) continue;
    const name = stringAt(endpoint, 'deprecatedTopology', hostName);
    const isNodeName = name !== '' && named.has(name) && dns1123SubdomainProblems(name).length === 0;
    if (isNodeName && !endpoint.has('nodeName')) endpoint.set('nodeName', name);
    endpoint.delete('deprecatedTopology');
  }
}

function sameLabels(a: ValueMap, b: ValueMap): boolean {
  const texts = [a, b].map(o => JSON.stringify([...(mapAt(o, 'metadata', 'labels') ?? [])].sort()));
  return texts[0] === texts[1];
}

/** EndpointSlice. */
export const endpointSliceKind: KindDefinition = { refine: endpointSlice, validation: endpointSliceRules, hasGeneration: true };
