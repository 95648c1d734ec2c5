import { qosClassOf } from '../apis/core/pod/validation/qos-class.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { builtInCodec } from '../apiserver/objects/built-in-codec.js';
import { DecodeError } from '../apiserver/objects/codec.js';
import { copyOf, ensureMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { memoize } from '../kubernetes/memoize.js';
import { labelKeyProblems } from '../kubernetes/name-rules.js';
import type { ApiServerOptions } from '../kubernetes/server-options.js';
import { PlainError } from '../kubernetes/status.js';
import { namespaceAnnotations } from './objects/listed-objects.js';
import { mainObject } from './objects/main-object.js';

/** Merges two lists, without entries covered by others. Source: kubernetes pkg/util/tolerations MergeTolerations. */
export function mergeTolerations(first: readonly Value[], second: readonly Value[]): Value[] {
  const all = [...first, ...second];
  const merged: Value[] = [];
  for (const [i, toleration] of all.entries()) {
    const coveredBefore = merged.some(other => covers(other, toleration));
    const coveredLater = all.slice(i + 1).some(other => !sameToleration(toleration, other) && covers(other, toleration));
    if (!coveredBefore && !coveredLater) merged.push(toleration);
  }
  return merged;
}

/** Reports whether every toleration is covered by one of a list. Source: kubernetes pkg/util/tolerations VerifyAgainstWhitelist. */
export function allCovered(tolerations: readonly Value[], by: readonly Value[]): boolean {
  return by.length === 0 || tolerations.every(toleration => by.some(other => covers(other, toleration)));
}

/** Reports whether two tolerations have the same key, operator, value, effect and seconds. */
export function sameToleration(a: Value, b: Value): boolean {
  const texts = ['key', 'operator', 'value', 'effect'].every(key => stringAt(a, key) === stringAt(b, key));
  return texts && valueAt(a, 'tolerationSeconds') === valueAt(b, 'tolerationSeconds');
}

/** Source: kubernetes pkg/util/tolerations isSuperset. */
function covers(more: Value, less: Value): boolean {
  if (sameToleration(more, less)) return true;
  const [key, operator, effect] = ['key', 'operator', 'effect'].map(name => stringAt(more, name));
  if (stringAt(less, 'key') !== key && (key !== '' || operator !== 'Exists')) return false;
  if (stringAt(less, 'effect') !== effect && effect !== '') return false;
  if (effect === 'NoExecute' && !lastsAsLong(valueAt(more, 'tolerationSeconds'), valueAt(less, 'tolerationSeconds'))) return false;
  if (operator === 'Exists') return true;
  // A missing operator of the covered one is not treated as Equal.
  return (
    (operator === '' || operator === 'Equal') &&
    stringAt(less, 'operator') === 'Equal' &&
    stringAt(less, 'value') === stringAt(more, 'value')
  );
}

function lastsAsLong(more: Value | undefined, less: Value | undefined): boolean {
  return typeof more !== 'bigint' || (typeof less === 'bigint' && less <= more);
}

const defaultTolerationsOf = memoize((options: ApiServerOptions) => {
  const taints = [
    { key: 'node.kubernetes.io/not-ready', tolerationSeconds: options.defaultNotReadyTolerationSeconds },
    { key: 'node.kubernetes.io/unreachable', tolerationSeconds: options.defaultUnreachableTolerationSeconds },
  ];
  return taints.map(taint => ({ key: taint.key, toleration: toValue({ ...taint, operator: 'Exists', effect: 'NoExecute' }) }));
});

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
    const missing = defaultTolerationsOf(state.options).filter(
      ({ key }) => !tolerations.some(t => ['', key].includes(stringAt(t, 'key')) && ['', 'NoExecute'].includes(stringAt(t, 'effect'))),
    );
    if (missing.length === 0) return;
    const added = missing.map(({ toleration }) => copyOf(toleration));
    spec.set('tolerations', [...tolerations, ...added]);
  },
};

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

const prefix = 'scheduler.alpha.kubernetes.io';

/**
 * PodTolerationRestriction: adds a namespace's default tolerations and refuses those it does not list; without annotations, those of the
 * plugin's configuration. Source: kubernetes plugin/pkg/admission/podtolerationrestriction.
 */
export const podTolerationRestriction: AdmissionPlugin = {
  name: 'PodTolerationRestriction',
  operations: ['CREATE', 'UPDATE'],
  admit: (attributes, context) => {
    const pod = mainObject(attributes, 'pods.');
    if (pod === undefined) return;
    const { namespace, operation } = attributes;
    const added =
      operation === 'CREATE'
        ? [...(tolerationsIn(`${prefix}/defaultTolerations`, namespace, context) ?? configured('default', context))]
        : [];
    if (qosClassOf(context.server, pod) !== 'BestEffort') added.push(memoryPressure);
    const spec = ensureMap(pod, 'spec');
    if (added.length > 0) spec.set('tolerations', mergeTolerations(listAt(spec, 'tolerations'), added));
    refuseUnlisted(pod, namespace, context);
  },
  validate: (attributes, context) => {
    const pod = mainObject(attributes, 'pods.');
    if (pod !== undefined) refuseUnlisted(pod, attributes.namespace, context);
  },
};

const memoryPressure = toValue({ key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' });

/** Refuses unlisted tolerations with a plain error, as upstream. */
function refuseUnlisted(pod: ValueMap, namespace: string, context: AdmissionContext): void {
  const tolerations = listAt(pod, 'spec', 'tolerations');
  if (tolerations.length === 0) return;
  const listed = tolerationsIn(`${prefix}/tolerationsWhitelist`, namespace, context);
  if (allCovered(tolerations, listed ?? configured('whitelist', context))) return;
  const scope = listed === undefined ? 'cluster' : 'namespace';
  throw new PlainError(`pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`);
}

function configured(list: 'default' | 'whitelist', { state }: AdmissionContext): readonly Value[] {
  return listAt(state.pluginConfigurations?.get('PodTolerationRestriction'), list);
}

/** Parses the list in an annotation of the namespace; undefined without one. Throws a plain 500 when it is invalid. */
function tolerationsIn(annotation: string, namespace: string, context: AdmissionContext): Value[] | undefined {
  const text = valueAt(namespaceAnnotations(context, namespace), annotation);
  if (typeof text !== 'string') return undefined;
  if (text === '') return [];
  try {
    const pod = builtInCodec(context.server, { group: '', version: 'v1', kind: 'Pod' })?.decode(`{"spec":{"tolerations":${text}}}`).value;
    return listAt(pod, 'spec', 'tolerations');
  } catch (error) {
    if (error instanceof DecodeError) throw new PlainError(error.message);
    throw error;
  }
}
