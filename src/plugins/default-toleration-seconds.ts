import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { ensureMap, listAt, stringAt, toValue } from '../go/value.js';
import { numberFlag } from './plugin-flags.js';

const taints = [
  { key: 'node.kubernetes.io/not-ready', flag: 'default-not-ready-toleration-seconds' },
  { key: 'node.kubernetes.io/unreachable', flag: 'default-unreachable-toleration-seconds' },
];

/** Lets pods stay five minutes on a node that is lost, unless they say otherwise. Source: kubernetes plugin/pkg/admission/defaulttolerationseconds. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  operations: ['CREATE', 'UPDATE'],
  admit: ({ resource, subresource, object }, { state }) => {
    if (resource.group !== '' || resource.resource !== 'pods' || subresource !== '' || object === undefined) return;
    const spec = ensureMap(object.value, 'spec');
    const tolerations = [...listAt(spec, 'tolerations')];
    const missing = taints.filter(
      ({ key }) => !tolerations.some(t => ['', key].includes(stringAt(t, 'key')) && ['', 'NoExecute'].includes(stringAt(t, 'effect'))),
    );
    if (missing.length === 0) return;
    const added = missing.map(({ key, flag }) => {
      const tolerationSeconds = numberFlag(state.flags, flag) ?? 300n;
      return toValue({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds });
    });
    spec.set('tolerations', [...tolerations, ...added]);
  },
};
