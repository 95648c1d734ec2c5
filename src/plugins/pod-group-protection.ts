import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { ensureMap, listAt } from '../go/value.js';
import { concerns } from './objects/main-object.js';

const finalizer = 'scheduling.k8s.io/podgroup-protection';

/**
 * PodGroupProtection: protects pod groups with a finalizer until no pod uses them. Source: kubernetes
 * plugin/pkg/admission/scheduling/podgroupprotection.
 */
export const podGroupProtection: AdmissionPlugin = {
  name: 'PodGroupProtection',
  operations: ['CREATE'],
  admit: (attributes, context) => {
    const { object, subresource } = attributes;
    if (!context.server.isEnabled('GenericWorkload') || object === undefined || subresource !== '') return;
    if (!concerns(attributes, 'podgroups.scheduling.k8s.io')) return;
    const metadata = ensureMap(object.value, 'metadata');
    const finalizers = listAt(metadata, 'finalizers');
    if (!finalizers.includes(finalizer)) metadata.set('finalizers', [...finalizers, finalizer]);
  },
};
