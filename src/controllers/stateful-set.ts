import { writeValue } from '../go/json/write.js';
import { ensureMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../go/value.js';
import { type CreatedObject, nameOf, podFromTemplate, setLabel, templateOf } from './created-object.js';
import { revisionHash } from './template-hash.js';

/**
 * Returns the first pod of a new stateful set; undefined without replicas. Source: pkg/controller/statefulset/stateful_set_utils.go
 * newStatefulSetPod.
 */
export function podOfStatefulSet(set: ValueMap): CreatedObject | undefined {
  const replicas = numberAt(set, 'spec', 'replicas');
  if (replicas === 0n) return undefined;
  const ordinal = numberAt(set, 'spec', 'ordinals', 'start');
  const name = `${nameOf(set)}-${ordinal}`;
  const pod = podFromTemplate(set, templateOf(set));
  const metadata = ensureMap(pod, 'metadata');
  metadata.set('name', name);
  setLabel(pod, 'statefulset.kubernetes.io/pod-name', name);
  setLabel(pod, 'apps.kubernetes.io/pod-index', String(ordinal));
  setLabel(pod, 'controller-revision-hash', revisionNameOf(set));
  const spec = ensureMap(pod, 'spec');
  spec.set('hostname', name);
  spec.set('subdomain', stringAt(set, 'spec', 'serviceName'));
  const claims = claimVolumes(set, ordinal);
  if (claims.length > 0) {
    const claimed = new Set(claims.map(volume => stringAt(volume, 'name')));
    spec.set('volumes', [...claims, ...listAt(spec, 'volumes').filter(volume => !claimed.has(stringAt(volume, 'name')))]);
  }
  return { controller: 'statefulset-controller', object: pod, notes: notesOn(set, { replicas, claims: claims.length }) };
}

function notesOn(set: ValueMap, { replicas, claims }: { readonly replicas: bigint; readonly claims: number }): string[] {
  const others = `StatefulSet ${nameOf(set)} requests ${replicas} pods: the first is shown; others have their own ordinal, name and claims`;
  const order = `the volumes of ${claims} claims have no fixed order: they are shown in the order of their templates`;
  return [...(replicas > 1n ? [others] : []), ...(claims > 1 ? [order] : [])];
}

function claimVolumes(set: ValueMap, ordinal: bigint): Value[] {
  return listAt(set, 'spec', 'volumeClaimTemplates').map(claim => {
    const name = stringAt(claim, 'metadata', 'name');
    return toValue({ name, persistentVolumeClaim: { claimName: `${name}-${nameOf(set)}-${ordinal}` } });
  });
}

/** Longer names of sets are truncated. Source: pkg/controller/history/controller_history.go ControllerRevisionName. */
const longestPrefix = 223;

/** Returns the name of the revision with the set's template as a patch. Source: stateful_set_utils.go getPatch. */
function revisionNameOf(set: ValueMap): string {
  const template = templateOf(set);
  template.set('$patch', 'replace');
  const data = writeValue(new Map([['spec', new Map([['template', template]])]]), 'sorted');
  return `${nameOf(set).slice(0, longestPrefix)}-${revisionHash(data)}`;
}

function numberAt(object: ValueMap, ...path: readonly string[]): bigint {
  const number = valueAt(mapAt(object), ...path);
  return typeof number === 'bigint' ? number : 0n;
}
