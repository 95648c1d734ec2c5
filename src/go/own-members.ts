/** Returns a member of an object whose keys are not ours; undefined for what it only inherits, such as `constructor`. */
export function ownMember<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a member of an object whose keys are not ours: `__proto__` is one like the others. */
export function setOwnMember<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
