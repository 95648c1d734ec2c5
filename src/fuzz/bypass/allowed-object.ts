import { copyOf, isList, isMap, type Value, type ValueMap, valueAt } from '../../go/value.js';

/** A path of keys and indexes. */
export type Path = readonly (string | number)[];

/** An object that CREATE allows, and the place where it differs from the forbidden one. */
export interface AllowedObject {
  readonly object: ValueMap;
  readonly path: Path;
}

/** Returns copies of an object with one value removed or replaced by a harmless one, inner values first. */
export function similarObjects(object: ValueMap): AllowedObject[] {
  const paths: Path[] = [];
  const visit = (value: Value, path: Path): void => {
    if (isMap(value)) for (const [key, member] of value) visit(member, [...path, key]);
    if (isList(value)) for (const [i, item] of value.entries()) visit(item, [...path, i]);
    if (path.length > 0 && !isIdentity(path)) paths.push(path);
  };
  visit(object, []);
  return paths.flatMap(path =>
    [undefined, ...harmless(valueAt(object, ...path))].map(value => ({ object: withValue(object, path, value), path })),
  );
}

function isIdentity([first, second]: Path): boolean {
  if (first === 'apiVersion' || first === 'kind') return true;
  return first === 'metadata' && (second === undefined || second === 'name' || second === 'namespace');
}

function harmless(value: Value | undefined): Value[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string') return ['nginx', 'a'];
  return typeof value === 'bigint' ? [1n] : [];
}

/** Returns a copy with another value at a path, or without it. */
export function withValue(object: ValueMap, path: Path, value: Value | undefined): ValueMap {
  const copy = copyOf(object);
  const holder = valueAt(copy, ...path.slice(0, -1));
  const key = path.at(-1) ?? '';
  if (isMap(holder)) {
    if (value === undefined) holder.delete(String(key));
    else holder.set(String(key), value);
  } else if (isList(holder)) {
    if (value === undefined) holder.splice(Number(key), 1);
    else holder[Number(key)] = value;
  }
  return copy;
}
