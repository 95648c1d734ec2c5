import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { ensureMap, listAt, stringAt, toValue } from '../go/value.js';
import { mainObject } from './objects/main-object.js';

const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/**
 * TaintNodesByCondition: taints a new node as not ready until its controller removes that. Source: kubernetes
 * plugin/pkg/admission/nodetaint.
 */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  operations: ['CREATE'],
  admit: attributes => {
    const node = mainObject(attributes, 'nodes.');
    if (node === undefined) return;
    const taints = listAt(node, 'spec', 'taints');
    if (taints.some(t => stringAt(t, 'key') === taint.key && stringAt(t, 'effect') === taint.effect)) return;
    ensureMap(node, 'spec').set('taints', [...taints, toValue(taint)]);
  },
};
