import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { ensureMap, listAt } from '../go/value.js';
import { concernsMainObject } from './objects/main-object.js';

/** Protected resources by name: their finalizers, and the gates that all must be enabled. */
const protectedResources: readonly { readonly resource: string; readonly finalizer: string; readonly gates: readonly string[] }[] = [
  { resource: 'podgroups.scheduling.k8s.io', finalizer: 'scheduling.k8s.io/podgroup-protection', gates: ['GenericWorkload'] },
  {
    resource: 'compositepodgroups.scheduling.k8s.io',
    finalizer: 'scheduling.k8s.io/compositepodgroup-protection',
    gates: ['GenericWorkload', 'CompositePodGroup'],
  },
];

/**
 * PodGroupProtection: protects pod groups, and since v1.38 groups of them, with a finalizer until no pod uses them. Source: kubernetes
 * plugin/pkg/admission/scheduling/podgroupprotection.
 */
export const podGroupProtection: AdmissionPlugin = {
  name: 'PodGroupProtection',
  operations: ['CREATE'],
  admit: (attributes, context) => {
    const { object, subresource } = attributes;
    if (object === undefined || subresource !== '') return;
    const found = protectedResources.find(({ resource }) => concernsMainObject(attributes, resource));
    if (found === undefined || found.gates.some(gate => !context.server.isEnabled(gate))) return;
    if (found !== protectedResources[0] && !context.server.since('v1.38')) return;
    const { finalizer } = found;
    const metadata = ensureMap(object.value, 'metadata');
    const finalizers = listAt(metadata, 'finalizers');
    if (!finalizers.includes(finalizer)) metadata.set('finalizers', [...finalizers, finalizer]);
  },
};
