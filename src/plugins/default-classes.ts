import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { ensureMap, stringAt, valueAt } from '../go/value.js';
import { newest } from './objects/listed-objects.js';
import { mainObject } from './objects/main-object.js';
import { hasStorageClass } from './objects/storage-classes.js';

const annotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

/**
 * DefaultStorageClass: sets the default class of a claim without one; the newest of several. Source: kubernetes
 * plugin/pkg/admission/storage/storageclass/setdefault.
 */
export const defaultStorageClass: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  operations: ['CREATE'],
  admit: (attributes, { storage }) => {
    const claim = mainObject(attributes, 'persistentvolumeclaims.');
    if (claim === undefined || hasStorageClass(claim)) return;
    const classes = storage.list({ group: 'storage.k8s.io', kind: 'StorageClass' });
    const found = newest(classes.filter(c => annotations.some(key => stringAt(c, 'metadata', 'annotations', key) === 'true')));
    if (found !== undefined) ensureMap(claim, 'spec').set('storageClassName', stringAt(found, 'metadata', 'name'));
  },
};

/**
 * DefaultIngressClass: sets the default class of an ingress without one; the newest of several. Source: kubernetes
 * plugin/pkg/admission/network/defaultingressclass.
 */
export const defaultIngressClass: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  operations: ['CREATE'],
  admit: (attributes, { storage }) => {
    const ingress = mainObject(attributes, 'ingresses.networking.k8s.io');
    if (ingress === undefined || valueAt(ingress, 'spec', 'ingressClassName') !== undefined) return;
    if (valueAt(ingress, 'metadata', 'annotations', 'kubernetes.io/ingress.class') !== undefined) return;
    const classes = storage.list({ group: 'networking.k8s.io', kind: 'IngressClass' });
    const isDefault = 'ingressclass.kubernetes.io/is-default-class';
    const found = newest(classes.filter(c => stringAt(c, 'metadata', 'annotations', isDefault) === 'true'));
    if (found !== undefined) ensureMap(ingress, 'spec').set('ingressClassName', stringAt(found, 'metadata', 'name'));
  },
};
