/** A schema, or another map, as JSON has it. */
export type Plain = Record<string, unknown>;

/** Reports whether a value is a map. */
export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a map with changed values. */
export function mapPlain<T>(map: Readonly<Record<string, T>>, change: (value: T, key: string) => unknown): Plain {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
}
