import type { ValueMap } from '../../go/value.js';
import { labelsOf } from '../../kubernetes/label-selector.js';

/** Objects of a collection by their labels. */
export interface LabelIndex {
  /** Replaces the labels of the object with this key. */
  set(key: string, object: ValueMap): void;
  delete(key: string): void;
  /** Returns the keys of the objects that have one of the values, in the order of keys. */
  keysWith(label: string, values: readonly string[]): readonly string[];
}

/** A label with a value, and the keys of the objects that have it. */
interface Term {
  readonly name: string;
  readonly keys: Set<string>;
}

/** Creates an empty index. */
export function newLabelIndex(): LabelIndex {
  const terms = new Map<string, Term>();
  const termsByKey = new Map<string, readonly Term[]>();
  const termFor = (name: string): Term => {
    const found = terms.get(name) ?? { name, keys: new Set<string>() };
    terms.set(name, found);
    return found;
  };
  const remove = (key: string): void => {
    for (const { name, keys } of termsByKey.get(key) ?? []) {
      keys.delete(key);
      if (keys.size === 0) terms.delete(name);
    }
    termsByKey.delete(key);
  };
  return {
    set: (key, object) => {
      const names = [...labelsOf(object)].map(([label, value]) => nameOf(label, value));
      const known = termsByKey.get(key) ?? [];
      // Most writes change no labels.
      if (names.length === known.length && known.every(({ name }, i) => name === names[i])) return;
      remove(key);
      if (names.length === 0) return;
      const own = names.map(termFor);
      for (const { keys } of own) keys.add(key);
      termsByKey.set(key, own);
    },
    delete: remove,
    keysWith: (label, values) => {
      const keys = values.flatMap(value => [...(terms.get(nameOf(label, value))?.keys ?? [])]);
      return keys.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    },
  };
}

/** Neither labels nor their values contain `=`. */
function nameOf(label: string, value: string): string {
  return `${label}=${value}`;
}
