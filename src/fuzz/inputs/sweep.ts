import { writeValue } from '../../go/json/write.js';
import { copyOf, isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { Generator as Sources } from '../values/generate.js';
import { spellingsOf } from '../values/leaf-value.js';
import { oddTexts } from '../values/texts.js';
import { extremesOf, firstExtremesOf, variantsOf } from './extremes.js';
import type { FuzzedResource } from './input.js';
import { withOtherKeys } from './mutate.js';
import { type InputSite, sitesOf } from './sites.js';
import { withValue } from './with-value.js';

/** Items of a long list, and entries of a large map; with more of them, time that grows with the square of their number shows. */
const [many, veryMany] = [100, 600];

/** Objects of a kind that others are made from. */
export interface Examples {
  readonly plain: ValueMap;
  /** One with many fields. */
  readonly rich: ValueMap;
  readonly others: readonly ValueMap[];
}

/** Yields objects of a kind that break most webhooks: at limits of the kind, then `rich` with one of its lists or maps large, and very large. */
export function* firstOf(target: FuzzedResource, { plain, rich }: Examples, sources: Sources): Iterable<ValueMap> {
  yield* firstExtremesOf(plain);
  for (const count of [many, veryMany]) {
    for (const site of newSites(sitesOf(rich, target.shape), new Set())) {
      const large = enlarged(site, count, sources);
      if (large !== undefined) yield withValue(rich, site.path, large);
    }
  }
}

/**
 * Yields further objects of a kind in the order of how often they break webhooks: at other limits of the kind, then known objects without one of
 * their parts, with an empty part, and with one of their values in every spelling.
 */
export function* sweepOf(target: FuzzedResource, { plain, rich, others }: Examples, sources: Sources): Iterable<ValueMap> {
  const objects = [rich, ...others, ...variantsOf(plain)];
  yield* inTurn([extremesOf(target, plain), without(target, objects), emptied(target, objects), spelled(target, objects, sources)]);
}

/** Yields the first of each, then the second of each, and so on. */
function* inTurn<T>(all: readonly Iterable<T>[]): Iterable<T> {
  let open = all.map(one => one[Symbol.iterator]());
  while (open.length > 0) {
    const results = open.map(one => ({ one, result: one.next() })).filter(({ result }) => result.done !== true);
    for (const { result } of results) yield result.value;
    open = results.map(({ one }) => one);
  }
}

function* without({ shape }: FuzzedResource, objects: readonly ValueMap[]): Iterable<ValueMap> {
  const seen = new Set<string>();
  for (const object of objects) for (const { path } of newSites(sitesOf(object, shape), seen)) yield withValue(object, path, undefined);
}

function* emptied({ shape }: FuzzedResource, objects: readonly ValueMap[]): Iterable<ValueMap> {
  const seen = new Set<string>();
  for (const object of objects) {
    for (const { path, value } of newSites(sitesOf(object, shape), seen)) {
      if (isMap(value) && value.size > 0) yield withValue(object, path, new Map());
      if (isList(value) && value.length > 0) yield withValue(object, path, []);
    }
  }
}

/** The first spelling of each value, then the second one of each, and so on. */
function* spelled({ shape: of }: FuzzedResource, objects: readonly ValueMap[], sources: Sources): Iterable<ValueMap> {
  const seen = new Set<string>();
  const all = objects.flatMap(object =>
    newSites(sitesOf(object, of), seen).flatMap(({ shape, type, field, path, value }) => {
      if (shape.type !== 'leaf') return [];
      const spellings = spellingsOf(shape, { type, field }, sources).filter(spelling => spelling !== value);
      return [spellings.map(spelling => () => withValue(object, path, spelling))];
    }),
  );
  for (const made of inTurn(all)) yield made();
}

/** Values of annotations and labels in which code expects one form. */
const wordValues: readonly string[] = [
  '',
  'true',
  'false',
  'TRUE',
  '0',
  '1',
  '-1',
  '1.5',
  'abc',
  'a,b',
  '{}',
  '1h',
  '500m',
  'ü',
  '日本語🙂',
];
const maxWords = 60;

/** Keys that are also tried alone: with many, code often refuses an object for another one first. */
const maxAlone = 20;
const aloneValues: readonly string[] = ['abc', '日本語🙂'];

/**
 * Returns objects whose annotations and labels have the keys that the webhooks know: all at once with one value, all at once with values that
 * differ, and each key alone; with more values if `isFull`.
 */
export function withWords(plain: ValueMap, words: readonly string[], isFull: boolean): ValueMap[] {
  const keys = words.filter(word => /^(?:[a-z0-9][a-z0-9.-]*\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,60}[A-Za-z0-9])?$/.test(word));
  const qualified = [...keys.filter(key => key.includes('/')), ...keys.filter(key => !key.includes('/'))].slice(0, maxWords);
  if (qualified.length === 0) return [];
  const annotated = (entries: readonly (readonly [string, string])[]): ValueMap =>
    withValue(plain, ['metadata', 'annotations'], new Map(entries));
  const labeled = (value: string): ValueMap => withValue(plain, ['metadata', 'labels'], new Map(qualified.map(key => [key, value])));
  const values = isFull ? [...wordValues, ...oddTexts] : wordValues;
  // With one key, these are the same.
  const [several, alone] = qualified.length > 1 ? [values, isFull ? wordValues : aloneValues] : [[], []];
  return [
    ...values.map(value => annotated(qualified.map(key => [key, value]))),
    ...several.map((_, shift) => annotated(qualified.map((key, i) => [key, values[(i + shift) % values.length] ?? '']))),
    ...wordValues.filter(value => /^[A-Za-z0-9.]*$/.test(value)).map(labeled),
    ...alone.flatMap(value => qualified.slice(0, maxAlone).map(key => annotated([[key, value]]))),
  ];
}

/** Returns the first site of each field of a type that was not seen before; each entry of a map is one. */
function newSites(sites: readonly InputSite[], seen: Set<string>): InputSite[] {
  return sites.filter(({ type, field, key }) => {
    const name = `${type}.${field} ${typeof key === 'number' ? '' : key}`;
    return !seen.has(name) && seen.add(name) !== undefined;
  });
}

/** The API server takes no larger objects. */
const maxBytes = 1_400_000;

/** Returns how many items like one an object can have, up to `size`. */
function fitting(size: number, one: Value): number {
  return Math.min(size, Math.floor(maxBytes / (writeValue(one, 'kept').length + 1)));
}

/** Returns a list or map with more items like its own; undefined if it cannot have more. */
export function enlarged({ shape, value }: InputSite, size: number, { random }: Pick<Sources, 'random'>): Value | undefined {
  if (shape.type === 'list' && isList(value)) {
    const one = value[0];
    if (one === undefined || shape.maxItems < value.length) return undefined;
    const count = Math.min(fitting(size, one), shape.maxItems);
    return [
      ...value,
      ...Array.from({ length: Math.max(0, count - value.length) }, (_, i) =>
        withOtherKeys(copyOf(one), [...shape.keys, 'name'], random, i),
      ),
    ];
  }
  const [entry] = isMap(value) ? [...value.values()] : [];
  if (shape.type !== 'map' || !isMap(value) || entry === undefined) return undefined;
  return new Map<string, Value>([
    ...value,
    ...Array.from({ length: fitting(size, entry) }, (_, i): [string, Value] => [`key-${i}`, copyOf(entry)]),
  ]);
}
