import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { ensureMap, stringAt, valueAt } from '../go/value.js';
import { newest } from './listed-objects.js';
import { mainObject } from './main-object.js';

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
