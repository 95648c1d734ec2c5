import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { ensureMap, listAt } from '../go/value.js';

const finalizers: Readonly<Record<string, string>> = {
  'persistentvolumes.': 'kubernetes.io/pv-protection',
  'persistentvolumeclaims.': 'kubernetes.io/pvc-protection',
  'volumeattributesclasses.storage.k8s.io': 'kubernetes.io/vac-protection',
};

/**
 * StorageObjectInUseProtection: adds the finalizers that protect volumes, claims and classes in use. Source: kubernetes
 * plugin/pkg/admission/storage/storageobjectinuseprotection.
 */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  operations: ['CREATE'],
  admit: ({ resource, subresource, object }) => {
    const finalizer = finalizers[`${resource.resource}.${resource.group}`];
    if (finalizer === undefined || subresource !== '' || object === undefined) return;
    const metadata = ensureMap(object.value, 'metadata');
    const present = listAt(metadata, 'finalizers');
    if (!present.includes(finalizer)) metadata.set('finalizers', [...present, finalizer]);
  },
};
