import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { ensureMap, listAt, mapAt, stringAt, toValue, type Value } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { labelKeyProblems } from '../kubernetes/name-rules.js';
import { mainObject } from './main-object.js';
import { sameToleration } from './tolerations.js';

/**
 * ExtendedResourceToleration: adds tolerations for the taints of nodes with special hardware that a pod requests. Source: kubernetes
 * plugin/pkg/admission/extendedresourcetoleration.
 */
export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  operations: ['CREATE', 'UPDATE'],
  admit: (attributes, context) => {
    const pod = mainObject(attributes, 'pods.');
    if (pod === undefined) return;
    const containers = [...listAt(pod, 'spec', 'containers'), ...listAt(pod, 'spec', 'initContainers')];
    const names = new Set(
      containers
        .flatMap(c => [...(mapAt(c, 'resources', 'requests')?.keys() ?? [])])
        .filter(value => isExtendedResource(context.server, value)),
    );
    const spec = ensureMap(pod, 'spec');
    for (const key of [...names].sort()) {
      spec.set('tolerations', withToleration(listAt(spec, 'tolerations'), toValue({ key, operator: 'Exists', effect: 'NoSchedule' })));
    }
  },
};

/** Replaces tolerations of the same taint, else appends. Source: kubernetes pkg/apis/core/helper AddOrUpdateTolerationInPod. */
function withToleration(tolerations: Value[], added: Value): Value[] {
  const isAlike = (other: Value): boolean =>
    ['key', 'operator', 'value', 'effect'].every(key => stringAt(other, key) === stringAt(added, key));
  const alike = tolerations.filter(isAlike);
  if (alike.length === 0) return [...tolerations, added];
  return alike.some(other => sameToleration(other, added)) ? tolerations : tolerations.map(other => (isAlike(other) ? added : other));
}

/** Source: kubernetes pkg/apis/core/helper IsExtendedResourceName. */
function isExtendedResource(server: ApiServer, name: string): boolean {
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  return !isNative && !name.startsWith('requests.') && labelKeyProblems(server, `requests.${name}`).length === 0;
}
