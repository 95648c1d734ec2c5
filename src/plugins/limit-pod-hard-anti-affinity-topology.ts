import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { listAt, stringAt } from '../go/value.js';
import { forbidden } from '../kubernetes/status-errors.js';
import { mainObject } from './objects/main-object.js';

const allowed = 'kubernetes.io/hostname';

/**
 * LimitPodHardAntiAffinityTopology: allows required anti-affinity only for the hostname topology. Source: kubernetes
 * plugin/pkg/admission/antiaffinity.
 */
export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  operations: ['CREATE', 'UPDATE'],
  validate: attributes => {
    const pod = mainObject(attributes, 'pods.');
    const terms = listAt(pod, 'spec', 'affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
    const wrong = terms.map(term => stringAt(term, 'topologyKey')).find(key => key !== allowed);
    if (wrong === undefined) return;
    const message = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wrong} but only key ${allowed} is allowed`;
    throw forbidden(attributes.resource, stringAt(pod, 'metadata', 'name'), message);
  },
};
