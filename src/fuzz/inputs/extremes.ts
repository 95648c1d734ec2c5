import { copyOf, ensureMap, isMap, listAt, mapAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import { podSpecPath } from '../../kubernetes/pod-spec-path.js';
import { podVariants } from '../templates/pod-variants.js';
import { images, labelKeys, labelValues, objectNames } from '../values/names.js';
import { backtracking, oddTexts } from '../values/texts.js';
import type { FuzzedResource } from './input.js';

/** Under the limit of etcd, 1.5 MiB, over the usual limits of parsers of bodies, 1 MiB and less. */
const largeText = 1_100_000;
/** A review of it is over 1 MiB, which is the API server's limit for the data of an object. */
const largeData = 1_047_500;
/** The API server's limit for all annotations is 256 KiB. */
const longAnnotation = 200_000;

/** Texts on which code is slow whose time grows with the square of the length. */
const longTexts: readonly string[] = [' ', 'a,', '1', '{', '/', 'a b ', '\n'].map(unit =>
  unit.repeat(Math.floor(longAnnotation / unit.length)),
);

/** Returns valid objects at the limits of their kind: odd texts, many items, long values, unusual names, and variants of pod specs. */
export function extremesOf({ resource }: Pick<FuzzedResource, 'resource'>, plain: ValueMap): ValueMap[] {
  const { namespaced } = resource;
  const metadata = (members: Record<string, unknown>): ValueMap => withMetadata(plain, members);
  const annotated = (texts: readonly string[]): ValueMap => metadata({ annotations: numbered(texts) });
  const names = objectNames.filter(name => name.length <= 63 || name.length > 200 || name.length === 64);
  return [
    ...oddTexts.map(text => annotated([text])),
    ...backtracking.filter(text => text.length < 35).map(text => annotated([text])),
    ...(isPodOf(plain) ? [] : longTexts.map(text => annotated([text]))),
    metadata({ labels: Object.fromEntries(labelKeys.map((key, i) => [key, labelValues[i % labelValues.length]])) }),
    ...labelValues.map(value => metadata({ labels: Object.fromEntries(labelKeys.map(key => [key, value])) })),
    ...(namespaced ? ['kube-system', 'team-a', 'n'.repeat(63)].map(namespace => metadata({ namespace })) : []),
    ...['example.com/a', 'foregroundDeletion', 'orphan'].map(finalizer => metadata({ finalizers: [finalizer] })),
    metadata({ ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'a', uid: 'b7e6a2d0-0000-4000-8000-000000000003' }] }),
    ...(resource.kind.kind === 'Namespace' ? [] : names.map(name => metadata({ name }))),
    ...dataExtremes(plain),
    ...podExtremes(plain),
  ];
}

/** Returns the extremes that break most webhooks: one object each with odd texts, many and long values; of pods, every variant of the spec. */
export function firstExtremesOf(plain: ValueMap): ValueMap[] {
  const annotated = (texts: readonly string[]): ValueMap => withMetadata(plain, { annotations: numbered(texts) });
  const isPod = isPodOf(plain);
  return [
    withMetadata(plain, { annotations: {} }),
    annotated(oddTexts),
    annotated(['x'.repeat(longAnnotation)]),
    withMetadata(plain, { labels: numbered(Array.from({ length: 64 }, (_, i) => `v${i}`)) }),
    ...['', '1'].map(value => withMetadata(plain, { labels: Object.fromEntries(labelKeys.map(key => [key, value])) })),
    annotated(Array.from({ length: 150 }, (_, i) => `value ${i}`)),
    withMetadata(plain, { name: undefined, generateName: 'a-' }),
    ...(plain.get('kind') === 'Namespace' ? [] : longNames.map(name => withMetadata(plain, { name, ...copiedTo }))),
    ...largestObjects(plain),
    ...(isPod ? manyInPod(plain) : []),
    ...(isPod ? variantsOf(plain) : []),
    ...(isPod ? images.map(image => withPodSpec(plain, {}, { image })) : []),
    ...(isPod ? longTexts.map(text => annotated([text])) : []),
    annotated(backtracking),
  ];
}

/** Maps into which code copies names: their values have limits of their own. */
const copiedTo = { labels: { app: 'a' }, annotations: { note: 'a' } };

const longNames = objectNames.filter(name => name.length > 60);

/** Returns a valid object for each variant of a pod's spec; none for kinds without one. */
export function variantsOf(plain: ValueMap): ValueMap[] {
  if (podSpecOf(plain) === undefined) return [];
  return podVariants.map(({ spec = {}, container = {} }) => withPodSpec(plain, spec, container));
}

function isPodOf(object: ValueMap): boolean {
  return object.get('kind') === 'Pod';
}

function withMetadata(plain: ValueMap, members: Record<string, unknown>): ValueMap {
  const copy = copyOf(plain);
  const own = ensureMap(copy, 'metadata');
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) own.delete(key);
    else own.set(key, toValue(value));
  }
  return copy;
}

/** Returns the object with the most bytes that its kind allows. */
function largestObjects(plain: ValueMap): ValueMap[] {
  const kind = plain.get('kind');
  if (kind === 'ConfigMap' || kind === 'Secret') return [withData(plain, { large: 'x'.repeat(largeData) })];
  return podSpecOf(plain) === undefined ? [] : [withPodSpec(plain, {}, { env: [{ name: 'LARGE', value: 'x'.repeat(largeText) }] })];
}

function numbered(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text, i) => [`t${i}`, text]));
}

function dataExtremes(plain: ValueMap): ValueMap[] {
  const kind = plain.get('kind');
  if (kind !== 'ConfigMap' && kind !== 'Secret') return [];
  return [numbered(oddTexts), numbered(Array.from({ length: 300 }, () => 'a'))].map(data => withData(plain, data));
}

function withData(plain: ValueMap, data: Record<string, string>): ValueMap {
  return new Map<string, Value>([...copyOf(plain), [plain.get('kind') === 'ConfigMap' ? 'data' : 'stringData', toValue(data)]]);
}

/** Returns the spec of the pod in an object: its own, or that of its template. */
function podSpecOf(object: ValueMap): ValueMap | undefined {
  const path = podSpecPath(object);
  return path === undefined ? undefined : mapAt(object, ...path);
}

function podExtremes(plain: ValueMap): ValueMap[] {
  if (podSpecOf(plain) === undefined) return [];
  const changed = (spec: object, container: object): ValueMap => withPodSpec(plain, spec, container);
  const isPod = isPodOf(plain);
  return [
    ...(isPod ? initVariants.map(container => changed({ initContainers: [container] }, {})) : variantsOf(plain)),
    ...(isPod ? [] : images.map(image => changed({}, { image }))),
    ...(isPod ? [] : manyInPod(plain)),
    changed({}, { command: ['x'.repeat(longAnnotation)] }),
  ];
}

/** Init containers with the parts of the variants, and with every form of image. */
const initVariants: readonly object[] = [
  ...podVariants.flatMap(({ container }) => (container === undefined ? [] : [{ name: 'init', image: 'busybox', ...container }])),
  ...images.map(image => ({ name: 'init', image })),
];

/** Returns the object with many items in one of the lists of its pod's spec. */
function manyInPod(plain: ValueMap): ValueMap[] {
  const changed = (spec: object, container: object): ValueMap => withPodSpec(plain, spec, container);
  const many = (count: number): object[] => Array.from({ length: count }, (_, i) => ({ name: `c${i}`, image: 'nginx' }));
  return [
    changed({}, { env: oddTexts.map((value, i) => ({ name: `T${i}`, value })) }),
    changed({}, { args: oddTexts.filter(text => text !== '') }),
    changed({}, { env: Array.from({ length: 128 }, (_, i) => ({ name: `N${i}`, value: String(i) })) }),
    changed({}, { env: backtracking.map((value, i) => ({ name: `T${i}`, value })) }),
    changed({ containers: many(120) }, {}),
    changed({ initContainers: many(60) }, {}),
    changed({ volumes: Array.from({ length: 64 }, (_, i) => ({ name: `v${i}`, emptyDir: {} })) }, {}),
    changed({ tolerations: Array.from({ length: 64 }, (_, i) => ({ key: `k${i}`, operator: 'Exists' })) }, {}),
  ];
}

/** Returns the object with members of its pod's spec and of that spec's first container replaced. */
function withPodSpec(plain: ValueMap, spec: object, container: object): ValueMap {
  const copy = copyOf(plain);
  const target = podSpecOf(copy);
  merge(target, toValue(spec));
  merge(listAt(target, 'containers')[0], toValue(container));
  return copy;
}

function merge(target: Value | undefined, members: Value): void {
  if (isMap(target) && isMap(members)) for (const [key, value] of members) target.set(key, value);
}
