import type { Shown } from '../../apiserver/handlers/serving.js';
import { isCustomCodec } from '../../apiserver/objects/custom/custom-codec.js';
import { parseApiVersion } from '../../kubernetes/group-version.js';

/** Packages of internal types whose name is not the first word of their group. Source: kubernetes pkg/apis. */
const packages: Readonly<Record<string, string>> = {
  '': 'core',
  'rbac.authorization.k8s.io': 'rbac',
  'flowcontrol.apiserver.k8s.io': 'flowcontrol',
  'events.k8s.io': 'core',
};

/** Returns the internal Go type of a response, as errors print it: `core.ConfigMapList`. */
export function internalTypeName(shown: Shown): string {
  if (shown.type === 'object') {
    const { codec } = shown.object;
    return isCustomCodec(codec) ? 'unstructured.Unstructured' : `${packageOf(codec.kind.group)}.${codec.kind.kind}`;
  }
  if (shown.custom) return 'unstructured.UnstructuredList';
  return `${packageOf(parseApiVersion(shown.apiVersion)?.group ?? '')}.${shown.kind}`;
}

function packageOf(group: string): string {
  return packages[group] ?? group.split('.', 1)[0] ?? group;
}
