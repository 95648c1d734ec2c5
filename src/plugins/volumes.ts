import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { admissionRefusal } from '../apiserver/admission/name-in-refusal.js';
import { ownMember } from '../go/own-members.js';
import { ensureMap, listAt, stringAt, type ValueMap, valueAt } from '../go/value.js';
import { compareQuantities } from '../kubernetes/quantity.js';
import { mainObject } from './objects/main-object.js';
import { storageClassOf } from './objects/storage-classes.js';

/**
 * PersistentVolumeClaimResize: allows growth of a claim only when its class does. Source: kubernetes
 * plugin/pkg/admission/storage/persistentvolume/resize.
 */
export const persistentVolumeClaimResize: AdmissionPlugin = {
  name: 'PersistentVolumeClaimResize',
  operations: ['UPDATE'],
  validate: (attributes, context) => {
    const claim = mainObject(attributes, 'persistentvolumeclaims.');
    const old = attributes.oldObject?.value;
    if (claim === undefined || old === undefined || compareQuantities(sizeOf(claim), sizeOf(old)) <= 0) return;
    if (stringAt(old, 'status', 'phase') !== 'Bound')
      throw admissionRefusal(attributes, 'Only bound persistent volume claims can be expanded');
    if (!mayGrow(claim, old, context)) {
      throw admissionRefusal(
        attributes,
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      );
    }
  },
};

function sizeOf(claim: ValueMap): string {
  return stringAt(claim, 'spec', 'resources', 'requests', 'storage') || '0';
}

function mayGrow(claim: ValueMap, old: ValueMap, { storage }: AdmissionContext): boolean {
  const name = storageClassOf(claim);
  if (name === '' || name !== storageClassOf(old)) return false;
  const found = storage.find({ group: 'storage.k8s.io', kind: 'StorageClass' }, '', name);
  return valueAt(found, 'allowVolumeExpansion') === true;
}

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
    const finalizer = ownMember(finalizers, `${resource.resource}.${resource.group}`);
    if (finalizer === undefined || subresource !== '' || object === undefined) return;
    const metadata = ensureMap(object.value, 'metadata');
    const present = listAt(metadata, 'finalizers');
    if (!present.includes(finalizer)) metadata.set('finalizers', [...present, finalizer]);
  },
};
