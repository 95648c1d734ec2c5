/**
 * The way from a variable to a part of its value: `self`, `spec`, `items`, `@items`. The steps into lists and maps are `@items`, `@indices`,
 * `@values` and `@keys`.
 *
 * It is a Go slice, and that shows: a path that is made from another one shares its memory while there is room, so that of two paths made
 * from the same one the later one also changes the last step of the earlier one. Estimates depend on it.
 */
export interface AccessPath {
  readonly memory: string[];
  readonly length: number;
  readonly capacity: number;
}

/** The path of a variable. */
export function pathOf(variable: string): AccessPath {
  return { memory: [variable], length: 1, capacity: 1 };
}

/** The path one step further, as Go's `append` makes it; from no path at all a path of that step alone. */
export function extended(path: AccessPath | undefined, step: string): AccessPath {
  if (path === undefined) return pathOf(step);
  const { memory, length, capacity } = path;
  if (length < capacity) {
    memory[length] = step;
    return { memory, length: length + 1, capacity };
  }
  return { memory: [...stepsOf(path), step], length: length + 1, capacity: 2 * capacity };
}

/** The path one step further, sharing nothing. */
export function copiedAndExtended(path: AccessPath, step: string): AccessPath {
  return { memory: [...stepsOf(path), step], length: path.length + 1, capacity: path.length + 1 };
}

/** The steps of a path as they are now, the variable first. */
export function stepsOf({ memory, length }: AccessPath): readonly string[] {
  return memory.slice(0, length);
}
