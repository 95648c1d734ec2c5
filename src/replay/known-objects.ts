import { writeValue } from '../go/json/write.js';
import { stringAt, type ValueMap } from '../go/value.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import type { Resource } from '../kubernetes/resource-table.js';
import { kindOf, recordRemoval, recordWrite } from '../kubernetes/storage.js';
import { newWrittenObjects } from '../kubernetes/written-objects.js';
import { essentialText, keyOfCall } from './essential-text.js';
import { objectIn } from './json-spans.js';
import type { ObjectReference } from './logged-event.js';

/**
 * Resources whose objects decide about calls for other objects. Quotas are left out: their usage at the time of a call is not in the log. So are webhook
 * configurations and policies: what is asked is what those of the replay do.
 */
const surrounding: ReadonlySet<string> = new Set([
  '/namespaces',
  '/serviceaccounts',
  '/limitranges',
  'scheduling.k8s.io/priorityclasses',
  'node.k8s.io/runtimeclasses',
  'storage.k8s.io/storageclasses',
  'networking.k8s.io/ingressclasses',
  'rbac.authorization.k8s.io/roles',
  'rbac.authorization.k8s.io/rolebindings',
  'rbac.authorization.k8s.io/clusterroles',
  'rbac.authorization.k8s.io/clusterrolebindings',
]);

/** Reports whether objects of the resource decide about calls for other objects. */
export function surroundsCalls({ group, resource }: ObjectReference): boolean {
  return surrounding.has(`${group}/${resource}`);
}

/** What the log says about an object: its text, `null` for one that was removed, `''` for one whose state is not in the log. */
export interface Shown {
  readonly reference: ObjectReference;
  readonly text: string | null;
}

/** What the log has shown so far of the cluster's objects, over an initial state. */
export interface KnownObjects {
  readonly learn: (shown: Shown) => void;
  /** Returns what was last learned of an object, or its text in the initial state; undefined for an object that neither has shown. */
  readonly textOf: (reference: ObjectReference) => string | null | undefined;
  /** Returns the state for a call: the initial one, what surrounds calls, and the object or the collection of the reference. */
  readonly stateFor: (reference: ObjectReference) => ClusterState;
  /** Returns a text that is equal as long as, and whenever, the objects are equal that decide about calls for other objects in the namespace. */
  readonly epochOf: (namespace: string) => string;
  /** Returns everything that was learned, for a checkpoint. */
  readonly entries: () => KnownEntries;
}

/** Pairs of key and text, those that were used least recently first. */
export type KnownEntries = readonly (readonly [string, string | null])[];

export interface KnownOptions {
  readonly resources: readonly Resource[];
  /** Characters of all texts; beyond it, objects that were used least recently are forgotten, but not those that surround calls. */
  readonly maxCharacters: number;
  readonly restored?: KnownEntries | undefined;
}

/** Starts with what exists in a state. */
export function knownObjects(base: ClusterState, { resources, maxCharacters, restored }: KnownOptions): KnownObjects {
  const kinds = new Map(resources.map(({ group, resource, kind }) => [`${group}/${resource}`, { group, kind: kind.kind }]));
  const resourceNames = new Map(resources.map(({ resource, kind }) => [`${kind.group}/${kind.kind}`, resource]));
  const initial = new Map(base.objects.map(object => [keyOfObject(object, resourceNames), object]));
  const texts = new Map<string, string | null>();
  const around = new Map<string, string | null>();
  const epochs = epochsOf(around);
  const state: ClusterState = { ...base, presumesNamespaces: true };
  let held = 0;

  const drop = (key: string): void => {
    held -= texts.get(key)?.length ?? 0;
    texts.delete(key);
    around.delete(key);
  };
  const put = (key: string, text: string | null): void => {
    drop(key);
    if (surrounds(key)) around.set(key, text);
    else {
      texts.set(key, text);
      held += text?.length ?? 0;
    }
    for (const oldest of texts.keys()) {
      if (held <= maxCharacters) return;
      drop(oldest);
    }
  };
  const ownOf = (reference: ObjectReference): readonly (readonly [string, string | null])[] => {
    const key = keyOf(reference);
    if (reference.name === '') return [...texts].filter(([own]) => own.startsWith(key));
    const text = texts.get(key);
    return text === undefined ? [] : [[key, text]];
  };
  const known = (key: string): string | null | undefined => (surrounds(key) ? around.get(key) : texts.get(key));
  for (const [key, text] of restored ?? []) put(key, text);

  return {
    learn: ({ reference, text }) => {
      const key = keyOf(reference);
      const before = known(key);
      put(key, text);
      if (!surrounds(key) || isEqual(before, text)) return;
      epochs.forget(namespaceIn(key));
    },
    textOf: reference => {
      const text = known(keyOf(reference));
      const object = text === undefined ? initial.get(keyOf(reference)) : undefined;
      return object === undefined ? text : writeValue(object, 'kept');
    },
    stateFor: reference => {
      const written = newWrittenObjects();
      for (const [key, text] of [...around, ...ownOf(reference)]) {
        const object = objectIn(text ?? '');
        const { group = '', resource = '', namespace = '', name = '' } = partsOf(key);
        const kind = kinds.get(`${group}/${resource}`);
        if (object !== undefined) recordWrite(written, object);
        else if (kind !== undefined) recordRemoval(written, kind, { namespace, name });
      }
      return { ...state, written };
    },
    epochOf: namespace => `${epochs.of('')}.${epochs.of(namespace)}`,
    entries: () => [...around, ...texts],
  };
}

interface Epochs {
  readonly of: (namespace: string) => string;
  /** Something has changed. */
  readonly forget: (namespace: string) => void;
}

/** Epochs of namespaces, each made when it is needed. */
function epochsOf(around: ReadonlyMap<string, string | null>): Epochs {
  const made = new Map<string, string>();
  return {
    of: namespace => {
      const known = made.get(namespace);
      if (known !== undefined) return known;
      const own = [...around].filter(([key]) => namespaceIn(key) === namespace).sort(([a], [b]) => (a < b ? -1 : 1));
      const epoch = keyOfCall(own.map(([key, text]) => `${key} ${essentialText(text ?? '')}`));
      made.set(namespace, epoch);
      return epoch;
    },
    forget: namespace => made.delete(namespace),
  };
}

function isEqual(before: string | null | undefined, text: string | null): boolean {
  if (typeof before !== 'string' || text === null) return before === text;
  return before === text || essentialText(before) === essentialText(text);
}

function surrounds(key: string): boolean {
  return surrounding.has(key.slice(0, key.indexOf('|')));
}

function keyOf({ group, resource, namespace, name }: ObjectReference): string {
  return `${group}/${resource}|${resource === 'namespaces' ? '' : namespace}|${name}`;
}

/** The namespace whose calls an object decides about: a namespace decides about those in it. */
function namespaceIn(key: string): string {
  const [resource, namespace = '', name = ''] = key.split('|');
  return resource === '/namespaces' ? name : namespace;
}

function partsOf(key: string): Partial<Record<'group' | 'resource' | 'namespace' | 'name', string>> {
  return /^(?<group>[^/]*)\/(?<resource>[^|]*)\|(?<namespace>[^|]*)\|(?<name>.*)$/.exec(key)?.groups ?? {};
}

function keyOfObject(object: ValueMap, resourceNames: ReadonlyMap<string, string>): string {
  const { group, kind } = kindOf(object);
  const [namespace, name] = [stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')];
  return `${group}/${resourceNames.get(`${group}/${kind}`) ?? kind}|${namespace}|${name}`;
}
