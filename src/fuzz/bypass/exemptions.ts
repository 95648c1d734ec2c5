import { copyOf, ensureMap, isMap, listAt, mapAt, stringAt, toValue, type ValueMap, valueAt } from '../../go/value.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../kubernetes/name-rules.js';
import { type FuzzedResource, inputFor } from '../inputs/input.js';
import { type Path, withValue } from '../inputs/with-value.js';
import { conditionsOn } from './conditions.js';
import { label, labelsOutside, selectorsOf } from './selectors.js';
import type { Way, WaysContext } from './way.js';

/** Values with which labels and annotations often exempt an object. */
const exempting = ['true', 'false', 'disabled', 'skip'];

/** Returns creations that selectors, conditions and failure policies may exempt, in the order of what a client needs for them. */
export function exemptionsOf(context: WaysContext): Way[] {
  return [...byUser(context), ...byLabel(context), ...byAnnotation(context), ...byName(context), ...byField(context), ...bySize(context)];
}

function byUser({ forbidden, target, literals, words, user: own }: WaysContext): Way[] {
  if (own !== undefined) return [];
  return distinct(
    literals,
    words.filter(word => /\w:\w|@/.test(word)),
  ).flatMap((text): Way[] => [
    { title: `the user ${text}`, steps: [inputFor(target, forbidden, { user: { username: text } })], looksAt: 'object' },
    {
      title: `the user in the group ${text}`,
      steps: [inputFor(target, forbidden, { user: { username: 'jane', groups: [text] } })],
      looksAt: 'object',
    },
  ]);
}

function byLabel({ forbidden, target, configurations, literals, words }: WaysContext): Way[] {
  const choices = [
    ...selectorsOf(configurations, 'objectSelector').flatMap(labelsOutside),
    ...keysIn(literals, words).flatMap(key => exempting.map(value => new Map([[key, value]]))),
  ];
  return choices.map(labels => {
    const object = copyOf(forbidden);
    label(object, labels);
    const changed = [...labels].map(([key, value]) => (value === null ? `${key} removed` : `${key}=${value}`));
    return { title: `the label ${changed.join(', ')}`, steps: [inputFor(target, object)], looksAt: 'object' };
  });
}

function byAnnotation({ forbidden, target, literals, words }: WaysContext): Way[] {
  return keysIn(literals, words).flatMap(key =>
    exempting.map((value): Way => {
      const steps = [inputFor(target, annotated(forbidden, key, value))];
      return { title: `the annotation ${key}=${value}`, steps, looksAt: 'superset' };
    }),
  );
}

function annotated(object: ValueMap, key: string, value: string): ValueMap {
  const copy = copyOf(object);
  ensureMap(ensureMap(copy, 'metadata'), 'annotations').set(key, value);
  return copy;
}

/** Texts that can be keys of labels and annotations. */
function keysIn(literals: readonly string[], words: readonly string[]): string[] {
  return distinct(
    literals,
    words.filter(word => word.includes('/')),
  ).filter(text => /^[a-z0-9](?:[a-z0-9./-]*[a-z0-9])?$/i.test(text));
}

function distinct(literals: readonly string[], words: readonly string[]): string[] {
  return [...new Set([...literals, ...words])];
}

function byName({ forbidden, target, literals }: WaysContext): Way[] {
  const names = literals.flatMap(text => (text.endsWith('-') ? [`${text}a`] : text.startsWith('-') ? [`a${text}`] : [text]));
  return [...new Set(names.filter(name => dns1123SubdomainProblems(name).length === 0))].map(name => ({
    title: `the name ${name}`,
    steps: [inputFor(target, withValue(forbidden, ['metadata', 'name'], name))],
    looksAt: 'object',
  }));
}

/** Sets the fields that conditions compare with texts. */
function byField({ forbidden, target, configurations }: WaysContext): Way[] {
  return conditionsOn(configurations).flatMap(({ path, text }): Way[] => {
    const [first, ...rest] = path;
    if (first === undefined || first === 'metadata' || rest.length === 0) return [];
    const object = withField(forbidden, path, text);
    return object === undefined
      ? []
      : [{ title: `the field ${path.join('.')}=${text}`, steps: [inputFor(target, object)], looksAt: 'superset' }];
  });
}

/** Returns a copy with another text in a field; undefined if another kind of value is in the way. */
function withField(object: ValueMap, path: Path, text: string): ValueMap | undefined {
  const holders = path.slice(0, -1).map((_, i) => valueAt(object, ...path.slice(0, i + 1)));
  if (holders.some(holder => holder !== undefined && !isMap(holder))) return undefined;
  const copy = copyOf(object);
  const holder = path.slice(0, -1).reduce((at: ValueMap, step) => ensureMap(at, String(step)), copy);
  holder.set(String(path.at(-1)), text);
  return copy;
}

/** The limit for all annotations is 256 KiB, and that for a whole object 1.5 MiB. */
const [largeAnnotation, largeVariable] = [200_000, 1_100_000];

/** Objects that webhooks with failurePolicy Ignore may fail for. */
function bySize({ forbidden, target, configurations }: WaysContext): Way[] {
  const ignores = configurations.some(object =>
    listAt(object, 'webhooks').some(webhook => stringAt(webhook, 'failurePolicy') === 'Ignore'),
  );
  if (!ignores) return [];
  const objects = [annotated(forbidden, 'large', 'x'.repeat(largeAnnotation))];
  const container = valueAt(forbidden, 'spec', 'containers', 0);
  if (isMap(container)) {
    const copy = copyOf(container);
    copy.set('env', [...listAt(copy, 'env'), toValue({ name: 'LARGE', value: 'x'.repeat(largeVariable) })]);
    objects.push(withValue(forbidden, ['spec', 'containers', 0], copy));
  }
  return objects.map(object => ({
    title: 'an object that is too large for the webhook',
    steps: [inputFor(target, object)],
    looksAt: 'superset',
  }));
}

/** Returns creations in namespaces that selectors and conditions leave out. */
export function namespacesOf(context: WaysContext): Way[] {
  const { forbidden, target, targets, configurations, literals, words } = context;
  const ofNamespaces = targets.find(({ resource }) => resource.resource === 'namespaces' && resource.group === '');
  if (!target.resource.namespaced || ofNamespaces === undefined) return [];
  const inside = (namespace: string): ValueMap => withValue(forbidden, ['metadata', 'namespace'], namespace);
  const own = stringAt(forbidden, 'metadata', 'namespace');
  const names = new Set([
    'kube-system',
    'kube-public',
    'kube-node-lease',
    ...distinct(literals, words).filter(text => dns1123LabelProblems(text).length === 0),
  ]);
  names.delete(own);
  const outside = selectorsOf(configurations, 'namespaceSelector').flatMap(labelsOutside);
  return [
    ...[...names].flatMap((name): Way[] => [
      { title: `the namespace ${name}`, steps: [inputFor(target, inside(name))], looksAt: 'object' },
      {
        title: `the namespace ${name} (needs create on namespaces)`,
        steps: [inputFor(ofNamespaces, newNamespace(name)), inputFor(target, inside(name))],
        looksAt: 'object',
      },
    ]),
    ...outside.map((labels): Way => {
      const namespace = newNamespace('bypass');
      label(namespace, labels);
      return {
        title: 'a new namespace that the selector leaves out (needs create on namespaces)',
        steps: [inputFor(ofNamespaces, namespace), inputFor(target, inside('bypass'))],
        looksAt: 'object',
      };
    }),
    ...relabelled(context, ofNamespaces, outside),
  ];
}

function newNamespace(name: string): ValueMap {
  const namespace = toValue({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  if (!isMap(namespace)) throw new Error('a namespace is an object');
  return namespace;
}

/** Changes the labels of the object's own namespace first. */
function relabelled(
  { forbidden, target, namespace }: WaysContext,
  ofNamespaces: FuzzedResource,
  outside: readonly ReadonlyMap<string, string | null>[],
): Way[] {
  if (namespace === undefined) return [];
  return outside.map(labels => {
    const changed = copyOf(namespace);
    label(changed, labels);
    if (mapAt(changed, 'metadata', 'labels')?.size === 0) mapAt(changed, 'metadata')?.delete('labels');
    const patch = inputFor(ofNamespaces, changed, { operation: 'patch', patch: 'merge', old: namespace });
    return {
      title: 'another label of its namespace (needs patch on namespaces)',
      steps: [patch, inputFor(target, forbidden)],
      looksAt: 'object',
    };
  });
}
