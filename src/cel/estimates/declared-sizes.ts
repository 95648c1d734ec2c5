import { stepsOf } from './access-path.js';
import type { DeclaredSizes } from './estimated-call.js';

/** A type with limits on the size of its values. */
export interface SizedType {
  /** Maximum number of items, entries, bytes or characters. */
  readonly maxElements: bigint;
  /** For a list or a map. */
  readonly element: SizedType | undefined;
  /** For a map. */
  readonly key: SizedType | undefined;
  /** For an object. */
  readonly fields: ReadonlyMap<string, SizedType> | undefined;
}

/**
 * Declared sizes of values below a variable. The variable's name is not checked, so names of types and loops over list literals get the
 * size of the type too. Source: apiextensions-apiserver schema/cel/compilation.go sizeEstimator.
 */
export function declaredSizes(root: SizedType): DeclaredSizes {
  return path => sizeBelow(root, stepsOf(path).slice(1), stepInto);
}

/** The size at the end of the steps; undefined when they leave the declared type. */
export function sizeBelow(root: SizedType, steps: readonly string[], into: typeof stepInto): ReturnType<DeclaredSizes> {
  let type: SizedType | undefined = root;
  for (const step of steps) type = type && into(type, step);
  return type && { min: 0n, max: type.maxElements };
}

/** The type of a part; undefined when it is not declared. */
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
