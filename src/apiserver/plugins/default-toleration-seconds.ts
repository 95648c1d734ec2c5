import { ensureMap, listAt, stringAt, toValue } from '../../kubernetes/value.js';
import type { AdmissionPlugin } from '../admission/chain.js';

const taints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Lets pods stay five minutes on a node that is lost, unless they say otherwise. Source: kubernetes plugin/pkg/admission/defaulttolerationseconds. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  operations: ['CREATE', 'UPDATE'],
  admit: ({ resource, subresource, object }) => {
    if (resource.group !== '' || resource.resource !== 'pods' || subresource !== '' || object === undefined) return;
    const spec = ensureMap(object.value, 'spec');
    const tolerations = [...listAt(spec, 'tolerations')];
    const missing = taints.filter(
      key => !tolerations.some(t => ['', key].includes(stringAt(t, 'key')) && ['', 'NoExecute'].includes(stringAt(t, 'effect'))),
    );
    if (missing.length === 0) return;
    const added = missing.map(key => toValue({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
    spec.set('tolerations', [...tolerations, ...added]);
  },
};
