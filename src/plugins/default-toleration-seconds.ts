import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { ensureMap, listAt, stringAt, toValue } from '../go/value.js';
import { type ServerOptions, serverOptions } from '../kubernetes/server-options.js';

function taintsOf(options: ServerOptions) {
  return [
    { key: 'node.kubernetes.io/not-ready', tolerationSeconds: options.defaultNotReadyTolerationSeconds },
    { key: 'node.kubernetes.io/unreachable', tolerationSeconds: options.defaultUnreachableTolerationSeconds },
  ];
}

/**
 * DefaultTolerationSeconds: adds tolerations of five minutes for lost nodes, unless the pod has its own. Source: kubernetes
 * plugin/pkg/admission/defaulttolerationseconds.
 */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  operations: ['CREATE', 'UPDATE'],
  admit: ({ resource, subresource, object }, { state }) => {
    if (resource.group !== '' || resource.resource !== 'pods' || subresource !== '' || object === undefined) return;
    const spec = ensureMap(object.value, 'spec');
    const tolerations = [...listAt(spec, 'tolerations')];
    const missing = taintsOf(serverOptions(state.flags)).filter(
      ({ key }) => !tolerations.some(t => ['', key].includes(stringAt(t, 'key')) && ['', 'NoExecute'].includes(stringAt(t, 'effect'))),
    );
    if (missing.length === 0) return;
    const added = missing.map(taint => toValue({ ...taint, operator: 'Exists', effect: 'NoExecute' }));
    spec.set('tolerations', [...tolerations, ...added]);
  },
};
