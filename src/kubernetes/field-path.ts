/** Returns `spec.name`, or the name alone without a parent. Source: apimachinery field.Path Child. */
export function childPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

/** Returns `spec.labels[key]`. Source: apimachinery field.Path Key. */
export function keyPath(parent: string, key: string): string {
  return `${parent}[${key}]`;
}
