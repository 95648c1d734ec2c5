import { stringAt, type ValueMap } from '../../go/value.js';
import { isDefinition, servedNames } from '../../kubernetes/definition-resources.js';
import type { GroupKind } from '../../kubernetes/live-storage.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { storedKind } from '../../kubernetes/storage.js';

/**
 * Names of collections, under which etcd keeps the objects of a resource: `group/plural` of a custom resource, whose kind may be another after
 * its definition was made again; `group/Kind` of a built-in kind, which has one resource. Source: apiextensions-apiserver
 * pkg/apiserver/customresource_handler.go GetRESTOptions.
 */
export interface CollectionNames {
  /** Returns the collection of a kind, as the stored definitions serve it. */
  nameOf(kind: GroupKind): string;
  /** Follows the write or removal of an object. */
  follow(object: ValueMap | undefined, previous: ValueMap | undefined): void;
}

/** Creates the names of a store without definitions. */
export function newCollectionNames(): CollectionNames {
  const custom = new Map<string, string>();
  // A call looks for objects of a dozen kinds: joining and hashing the names would take a hundredth of its time.
  const known = new Map<string, Map<string, string>>();
  let count = 0;
  const nameOf = (kind: GroupKind): string => {
    const found = known.get(kind.kind)?.get(kind.group);
    if (found !== undefined) return found;
    const name = kindName(kind);
    const made = custom.get(name) ?? name;
    if (count >= maxKnown) forgetNames();
    count += 1;
    known.set(kind.kind, (known.get(kind.kind) ?? new Map<string, string>()).set(kind.group, made));
    return made;
  };
  const forgetNames = (): void => {
    known.clear();
    count = 0;
  };
  const forget = (definition: ValueMap): void => {
    for (const [kind, name] of custom) if (name === collectionOfDefinition(definition)) custom.delete(kind);
  };
  return {
    nameOf,
    follow: (object, previous) => {
      if (previous !== undefined && isDefinition(previous)) {
        forget(previous);
        forgetNames();
      }
      if (object === undefined || !isDefinition(object)) return;
      forgetNames();
      const kind = kindName({ group: stringAt(object, 'spec', 'group'), kind: stringAt(servedNames(object), 'kind') });
      const isAccepted = stringAt(object, 'status', 'acceptedNames', 'kind') !== '';
      // A definition whose kind conflicts with that of another one serves nothing.
      if (isAccepted || !custom.has(kind)) custom.set(kind, collectionOfDefinition(object));
    },
  };
}

/** Kinds whose collections are known. References of objects may name any kind. */
const maxKnown = 1024;

/** `group/Kind`: collection of a built-in kind. */
export function kindName(kind: GroupKind): string {
  const stored = storedKind(kind);
  return `${stored.group}/${stored.kind}`;
}

/** Returns the collection of a resource. */
export function collectionOfResource({ custom, group, resource, kind }: Resource): string {
  return custom ? `${group}/${resource}` : kindName(kind);
}

/** Returns the collection of a definition's objects. */
export function collectionOfDefinition(definition: ValueMap): string {
  return `${stringAt(definition, 'spec', 'group')}/${stringAt(definition, 'spec', 'names', 'plural')}`;
}

/** Returns objects in the order in which they can be stored: definitions name the collections of the others. */
export function definitionsFirst(objects: readonly ValueMap[]): readonly ValueMap[] {
  return [...objects.filter(isDefinition), ...objects.filter(object => !isDefinition(object))];
}
