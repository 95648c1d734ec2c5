import type { LoggedObjectReference } from './logged-event.js';

/** What is known of an object: its text, `null` for one that was removed, `''` for one whose state is not in the log. */
export type KnownText = string | null;

/** Returns the key of an object: `group/resource|namespace|name`. */
export function keyOfReference({ group, resource, namespace, name }: LoggedObjectReference): string {
  return `${group}/${resource}|${resource === 'namespaces' ? '' : namespace}|${name}`;
}

/** Returns `group/resource` of a key. */
export function resourceOfKey(key: string): string {
  return key.slice(0, key.indexOf('|'));
}

/** The namespace whose calls an object decides about: a namespace decides about those in it. */
export function namespaceOfKey(key: string): string {
  const [resource, namespace = '', name = ''] = key.split('|');
  return resource === '/namespaces' ? name : namespace;
}

/** What an entry of a map takes besides its texts. */
const charactersOfEntry = 100;

/** Returns how much an object counts against a limit. */
export function charactersOf(key: string, text: KnownText): number {
  return charactersOfEntry + key.length + (text?.length ?? 0);
}
