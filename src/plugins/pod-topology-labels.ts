import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { ensureMap, mapAt, stringAt, type ValueMap } from '../go/value.js';
import { concernsMainObject } from './objects/main-object.js';

const copied = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'];

/**
 * PodTopologyLabels: copies the zone and region of a pod's node to its labels. Source: kubernetes plugin/pkg/admission/podtopologylabels.
 */
export const podTopologyLabels: AdmissionPlugin = {
  name: 'PodTopologyLabels',
  operations: ['CREATE', 'UPDATE'],
  admit: (attributes, { storage, server }) => {
    if (!server.isEnabled('PodTopologyLabelsAdmission')) return;
    const { object, subresource } = attributes;
    if (object === undefined || !concernsMainObject(attributes, 'pods.')) return;
    const name = nodeOf(object.value, subresource);
    const node = name === '' ? undefined : storage.find({ group: '', kind: 'Node' }, '', name);
    for (const key of copied) {
      const value = mapAt(node, 'metadata', 'labels')?.get(key);
      if (value !== undefined) ensureMap(ensureMap(object.value, 'metadata'), 'labels').set(key, value);
    }
  },
};

/** Returns the node of a pod or a binding; empty for none. */
function nodeOf(object: ValueMap, subresource: string): string {
  if (subresource === '') return stringAt(object, 'spec', 'nodeName');
  return subresource === 'binding' && stringAt(object, 'target', 'kind') === 'Node' ? stringAt(object, 'target', 'name') : '';
}
