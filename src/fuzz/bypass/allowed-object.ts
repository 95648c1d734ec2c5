import { isList, isMap, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { type Path, withValue } from '../inputs/with-value.js';

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
