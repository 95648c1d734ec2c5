import { stepsOf } from './access-path.js';
import type { DeclaredSizes } from './estimated-call.js';

/** A type with how large its values can be. */
export interface SizedType {
  /** The most items, entries, bytes or characters there can be. */
  readonly maxElements: bigint;
  /** Of a list or a map. */
  readonly element: SizedType | undefined;
  /** Of a map. */
  readonly key: SizedType | undefined;
  /** Of an object. */
  readonly fields: ReadonlyMap<string, SizedType> | undefined;
}

/**
 * The sizes that a type declares for values below any variable: nothing asks which variable it is, so that names of types and loops over
 * lists in the expression itself count as large as the type, too. Source: apiextensions-apiserver schema/cel/compilation.go sizeEstimator.
 */
export function declaredSizes(root: SizedType): DeclaredSizes {
  return path => sizeBelow(root, stepsOf(path).slice(1), stepInto);
}

/** The size of what steps lead to; undefined when they leave what is declared. */
export function sizeBelow(root: SizedType, steps: readonly string[], into: typeof stepInto): ReturnType<DeclaredSizes> {
  let type: SizedType | undefined = root;
  for (const step of steps) type = type && into(type, step);
  return type && { least: 0n, most: type.maxElements };
}

/** The type of a part; undefined when there is no such part. */
export function stepInto(type: SizedType, step: string): SizedType | undefined {
  switch (step) {
    case '@items':
    case '@values':
      return type.element;
    case '@keys':
      return type.key;
    default:
      return type.fields?.get(step);
  }
}
