/**
 * Path from a variable to a part of its value: `self`, `spec`, `items`, `@items`. The steps into lists and maps are `@items`, `@indices`,
 * `@values` and `@keys`. It models a Go slice: paths appended to the same path share its memory while there is capacity, so the later
 * append overwrites the last step of the earlier one. Estimates depend on this.
 */
export interface AccessPath {
  readonly memory: string[];
  readonly length: number;
  readonly capacity: number;
}

/** The path of a variable. */
export function accessPathOf(variable: string): AccessPath {
  return { memory: [variable], length: 1, capacity: 1 };
}

/** Appends a step, as Go's `append` does; without a path, returns a path of that step alone. */
export function extended(path: AccessPath | undefined, step: string): AccessPath {
  if (path === undefined) return accessPathOf(step);
  const { memory, length, capacity } = path;
  if (length < capacity) {
    memory[length] = step;
    return { memory, length: length + 1, capacity };
  }
  return { memory: [...stepsOf(path), step], length: length + 1, capacity: 2 * capacity };
}

/** Appends a step to a copy that shares no memory. */
export function copiedAndExtended(path: AccessPath, step: string): AccessPath {
  return { memory: [...stepsOf(path), step], length: path.length + 1, capacity: path.length + 1 };
}

/** The current steps of a path, starting with the variable. */
export function stepsOf({ memory, length }: AccessPath): readonly string[] {
  return memory.slice(0, length);
}
