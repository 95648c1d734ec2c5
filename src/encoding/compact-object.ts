import { writeValue } from '../go/json/write.js';
import { isList, isMap, isRawJson, stringAt, type Value, type ValueMap } from '../go/value.js';
import { readUnstructured } from './unstructured.js';

/** What is known of a compact object without its text. */
export interface ObjectIdentity {
  readonly kind: string;
  readonly apiVersion: string;
  /** `namespace/name` */
  readonly key: string;
  readonly resourceVersion: string;
}

/**
 * An object that is kept for long and not changed: a tree of members while it is used, and otherwise their text, which needs a tenth of the
 * memory. Changes throw.
 */
export class CompactObject extends Map<string, Value> {
  #tree: ValueMap | undefined;
  #text: string | undefined;
  #weight: number | undefined;
  #identity: ObjectIdentity | undefined;
  /** Whether the members were read since somebody set it to false. */
  isUsed = true;

  /** `expanded` is called with the object when its text becomes a tree again. */
  constructor(
    members: ValueMap | undefined,
    private readonly expanded: (object: CompactObject) => void,
  ) {
    super();
    this.#tree = members;
  }

  /** Creates a compact object. The text is as `writeValue` writes it with `kept` keys, and gives back all of the value. */
  static ofText(text: string, identity: ObjectIdentity, expanded: (object: CompactObject) => void): CompactObject {
    const object = new CompactObject(undefined, expanded);
    object.#text = flatText(text);
    object.#identity = identity;
    object.isUsed = false;
    return object;
  }

  get isCompact(): boolean {
    return this.#tree === undefined;
  }

  /** Returns the text of a compact object, as `writeValue` writes it with `kept` keys; undefined while it is a tree. */
  get text(): string | undefined {
    return this.#tree === undefined ? this.#text : undefined;
  }

  /** The characters of its strings, plus a constant for each value: about those of the text. */
  get weight(): number {
    this.#weight ??= this.#text?.length ?? weightOf(this.#tree ?? null);
    return this.#weight;
  }

  /** Type, key and version. A compact object stays compact. */
  get identity(): ObjectIdentity {
    this.#identity ??= identityOf(this.toMap());
    return this.#identity;
  }

  /** Returns the members as a plain Map, which nobody may change; a compact object stays compact. */
  toMap(): ValueMap {
    return this.#tree ?? (readUnstructured(this.#text ?? '{}') as ValueMap);
  }

  /** Gives up the tree for the text. Returns false for an object that the text would not give back: it stays as it is. */
  compact(): boolean {
    if (this.#tree === undefined) return true;
    this.#weight = this.weight;
    if (this.#text === undefined) {
      if (!isInText(this.#tree)) return false;
      this.#text = flatText(writeValue(this.#tree, 'kept'));
    }
    this.#identity = this.identity;
    this.#tree = undefined;
    return true;
  }

  override get size(): number {
    return this.members().size;
  }

  override get(key: string): Value | undefined {
    const known = this.#tree === undefined && (key === 'kind' || key === 'apiVersion') ? this.identity[key] : '';
    if (known !== '') return known;
    return this.members().get(key);
  }

  override has(key: string): boolean {
    return this.members().has(key);
  }

  override keys(): MapIterator<string> {
    return this.members().keys();
  }

  override values(): MapIterator<Value> {
    return this.members().values();
  }

  override entries(): MapIterator<[string, Value]> {
    return this.members().entries();
  }

  override [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.members()[Symbol.iterator]();
  }

  override forEach(callback: (value: Value, key: string, map: Map<string, Value>) => void): void {
    for (const [key, value] of this.members()) callback(value, key, this);
  }

  override set(): never {
    throw new TypeError('a stored object is not changed');
  }

  override delete(): never {
    return this.set();
  }

  override clear(): never {
    return this.set();
  }

  private members(): ValueMap {
    this.isUsed = true;
    if (this.#tree !== undefined) return this.#tree;
    this.#tree = readUnstructured(this.#text ?? '{}') as ValueMap;
    this.expanded(this);
    return this.#tree;
  }
}

function identityOf(object: ValueMap): ObjectIdentity {
  return {
    kind: stringAt(object, 'kind'),
    apiVersion: stringAt(object, 'apiVersion'),
    key: storeKeyOf(object),
    resourceVersion: stringAt(object, 'metadata', 'resourceVersion'),
  };
}

/** Returns `namespace/name`, the key of an object among those of its kind. A compact one stays compact. */
export function storeKeyOf(object: ValueMap): string {
  if (object instanceof CompactObject && object.isCompact) return object.identity.key;
  return `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}`;
}

/** Returns the resourceVersion of a stored object. A compact one stays compact. */
export function storedResourceVersion(object: ValueMap): string {
  return object instanceof CompactObject ? object.identity.resourceVersion : stringAt(object, 'metadata', 'resourceVersion');
}

/** Returns the characters of the strings in a value, plus a constant for each value. */
export function weightOf(value: Value): number {
  if (value instanceof CompactObject) return value.weight;
  if (typeof value === 'string') return perValue + value.length;
  if (isRawJson(value)) return perValue + value.rawJson.length;
  let weight = perValue;
  if (isList(value)) {
    for (const item of value) weight += weightOf(item);
  } else if (isMap(value)) {
    // Unlike an iterator, this makes no pair for each member.
    value.forEach((member, key) => {
      weight += key.length + weightOf(member);
    });
  }
  return weight;
}

const perValue = 8;

/** Returns whether reading the text of a value gives the same value: raw JSON becomes a tree, and a whole float64 an int64. Does not recurse. */
function isInText(root: Value): boolean {
  const open: Value[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'number' && (Number.isInteger(value) || !Number.isFinite(value))) return false;
    if (typeof value !== 'object' || value === null) continue;
    if (isRawJson(value)) return false;
    if (isList(value)) for (const item of value) open.push(item);
    else if (isMap(value)) for (const member of value.values()) open.push(member);
  }
  return true;
}

/** Returns the text as one piece: V8 keeps a sum of strings as a tree. */
export function flatText(text: string): string {
  text.charCodeAt(text.length - 1);
  return text;
}
