import { writeValue } from '../go/json/write.js';
import { stringAt, type ValueMap } from '../go/value.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { labelsOf } from '../kubernetes/label-selector.js';
import { memoize } from '../kubernetes/memoize.js';
import type { Resource } from '../kubernetes/resource-table.js';
import { parseSelectorText, SelectorTextError, selectsByText } from '../kubernetes/selector-text.js';
import { keyOfKind, keyOfName, kindOf, storedKind } from '../kubernetes/storage.js';
import type { WrittenObjects, WrittenRow } from '../kubernetes/written-objects.js';
import { objectIn, unchangedIn } from './json-spans.js';
import { charactersOf, type KnownText, keyOfReference, resourceOfKey } from './known-key.js';
import type { LoggedObjectReference } from './logged-event.js';
import { type ReplaySurroundings, surroundingObjects } from './surrounding-objects.js';

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
export function surroundsCalls({ group, resource }: LoggedObjectReference): boolean {
  return surrounding.has(`${group}/${resource}`);
}

/** What the log says about an object. */
export interface ShownByLog {
  readonly reference: LoggedObjectReference;
  readonly text: KnownText;
}

/** What the log has shown so far of the cluster's objects, over an initial state. */
export interface KnownObjects {
  readonly learn: (shown: ShownByLog) => void;
  /** Leaves the state of the objects of a collection unknown that a label selector matches: they were deleted, and the log does not show which. */
  readonly forget: (collection: LoggedObjectReference, selector: string) => void;
  /** Returns what was last learned of an object, or its text in the initial state; undefined for an object that neither has shown. */
  readonly textOf: (reference: LoggedObjectReference) => KnownText | undefined;
  /** Returns the state for a call: the initial one, what surrounds calls, and the object of the reference, or all of its collection. */
  readonly stateFor: (reference: LoggedObjectReference, ofCollection: boolean) => ClusterState;
  /** Returns a text that is equal as long as, and whenever, the objects are equal that decide about calls for other objects in the namespace. */
  readonly epochOf: (namespace: string) => string;
  /** Returns everything that was learned, for a checkpoint. */
  readonly entries: () => KnownEntries;
}

/** Pairs of key and text, those that were used least recently first. */
export type KnownEntries = readonly (readonly [string, KnownText])[];

export interface KnownOptions {
  readonly resources: readonly Resource[];
  /**
   * Characters of all texts; beyond it, objects that were learned first are forgotten. A quarter of it again for objects that surround calls, which are
   * kept as values, too.
   */
  readonly maxCharacters: number;
  readonly restored?: KnownEntries | undefined;
}

/** Starts with what exists in a state. */
export function knownObjects(base: ClusterState, { resources, maxCharacters, restored }: KnownOptions): KnownObjects {
  const kinds = new Map(resources.map(({ group, resource, kind }) => [`${group}/${resource}`, storedKind({ group, kind: kind.kind })]));
  const resourceNames = new Map(resources.map(({ resource, kind }) => [`${kind.group}/${kind.kind}`, resource]));
  const initial = new Map(base.objects.map(object => [keyOfObject(object, resourceNames), object]));
  const texts = new Map<string, KnownText>();
  const around = surroundingObjects({ kinds, maxCharacters: maxCharacters / 4 });
  const state: ClusterState = { ...base, presumesNamespaces: true };
  let held = 0;

  const drop = (key: string): void => {
    const text = texts.get(key);
    if (text !== undefined) held -= charactersOf(key, text);
    texts.delete(key);
  };
  const put = (key: string, shown: KnownText): void => {
    // A part of a line keeps the whole line in memory.
    const text = shown === null ? null : Buffer.from(shown).toString();
    if (surrounds(key)) {
      around.put(key, text);
      return;
    }
    drop(key);
    texts.set(key, text);
    held += charactersOf(key, text);
    for (const oldest of texts.keys()) {
      if (held <= maxCharacters) return;
      drop(oldest);
    }
  };
  const ownOf = (reference: LoggedObjectReference, ofCollection: boolean): readonly (readonly [string, KnownText])[] => {
    const key = keyOfReference(reference);
    if (ofCollection) return [...texts].filter(([own]) => own.startsWith(key));
    const text = texts.get(key);
    return text === undefined ? [] : [[key, text]];
  };
  const forget = (collection: LoggedObjectReference, selector: string): void => {
    const prefix = keyOfReference(collection);
    const isMatch = matcherOf(base.server, selector);
    const shown = [...(surrounds(prefix) ? around.entries() : texts)].filter(([key]) => key.startsWith(prefix));
    const isShown = new Set(shown.map(([key]) => key));
    const others = [...initial].filter(([key]) => key.startsWith(prefix) && !isShown.has(key));
    const deleted = [...shown.map(([key, text]) => [key, objectIn(text ?? '')] as const), ...others];
    for (const [key, object] of deleted) if (object !== undefined && isMatch(object)) put(key, '');
  };
  const known = (key: string): KnownText | undefined => (surrounds(key) ? around.get(key) : texts.get(key));
  for (const [key, text] of restored ?? []) put(key, text);

  return {
    learn: ({ reference, text }) => put(keyOfReference(reference), text),
    forget,
    textOf: reference => {
      const key = keyOfReference(reference);
      const text = known(key);
      const object = text === undefined ? initial.get(key) : undefined;
      return object === undefined ? text : textOfInitial(object);
    },
    stateFor: (reference, ofCollection) => {
      const kind = kinds.get(`${reference.group}/${reference.resource}`);
      const own = kind === undefined ? [] : ownOf(reference, ofCollection).map(([key, text]) => written(key, text));
      return { ...state, written: withOwn(around.snapshot(), kind === undefined ? '' : keyOfKind(kind), own) };
    },
    epochOf: namespace => `${around.epochOf('')}.${around.epochOf(namespace)}`,
    entries: () => [...around.entries(), ...texts],
  };
}

/** Matches everything for a selector that cannot be read: the API server of the log has read it. */
function matcherOf(server: ApiServer, selector: string): (object: ValueMap) => boolean {
  try {
    const requirements = parseSelectorText(server, selector);
    return object => selectsByText(requirements, labelsOf(object));
  } catch (error) {
    if (error instanceof SelectorTextError) return () => true;
    throw error;
  }
}

const textOfInitial = memoize((object: ValueMap) => writeValue(object, 'kept'));

/** Returns the object of a text, as a storage finds it; null for one that was removed. */
function written(key: string, text: KnownText): readonly [string, ValueMap | null] {
  const [, namespace = '', name = ''] = key.split('|');
  return [keyOfName(namespace, name), unchangedIn(text ?? '') ?? null];
}

/** What surrounds calls, and objects of one kind. Calls that are made in it write nothing there. */
function withOwn(around: ReplaySurroundings, kindKey: string, own: readonly (readonly [string, ValueMap | null])[]): WrittenObjects {
  const rows = new Map<string, Map<string, ValueMap | null>>();
  if (own.length > 0) rows.set(kindKey, new Map(own));
  const rowOf = (key: string): WrittenRow => rows.get(key) ?? around.row(key);
  return {
    row: rowOf,
    objects: () => [...around.objects(), ...[...rows.values()].flatMap(row => [...row.values()].filter(object => object !== null))],
    set: (key, name, object) => {
      rows.set(key, new Map([...rowOf(key), [name, object]]));
    },
  };
}

function surrounds(key: string): boolean {
  return surrounding.has(resourceOfKey(key));
}

function keyOfObject(object: ValueMap, resourceNames: ReadonlyMap<string, string>): string {
  const { group, kind } = kindOf(object);
  const [namespace, name] = [stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')];
  return `${group}/${resourceNames.get(`${group}/${kind}`) ?? kind}|${namespace}|${name}`;
}
