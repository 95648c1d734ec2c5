import { copyOf, isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { Generator as Sources } from '../values/generate.js';
import { spellingsOf } from '../values/leaf-value.js';
import { extremesOf, firstExtremesOf } from './extremes.js';
import type { FuzzedResource } from './input.js';
import { withOtherKeys } from './mutate.js';
import { type Site, sitesOf } from './sites.js';
import { withValue } from './with-value.js';

/** Items of a long list, and entries of a large map. */
const many = 100;

/** Objects of a kind that others are made from. */
export interface Examples {
  readonly plain: ValueMap;
  /** One with many fields. */
  readonly rich: ValueMap;
}

/** Yields objects of a kind that break most webhooks: at limits of the kind, then `rich` with one of its lists or maps large. */
export function* firstOf(target: FuzzedResource, { plain, rich }: Examples, sources: Sources): Iterable<ValueMap> {
  yield* firstExtremesOf(plain);
  for (const site of distinct(sitesOf(rich, target.shape))) {
    const large = enlarged(site, sources);
    if (large !== undefined) yield withValue(rich, site.path, large);
  }
}

/**
 * Yields further objects of a kind in the order of how often they break webhooks: at other limits of the kind, then `rich` without one of its
 * parts, and with one of its values in every spelling.
 */
export function* sweepOf(target: FuzzedResource, { plain, rich }: Examples, sources: Sources): Iterable<ValueMap> {
  yield* extremesOf(target, plain);
  const sites = distinct(sitesOf(rich, target.shape));
  for (const { path } of sites) yield withValue(rich, path, undefined);
  for (const { shape, type, field, path, value } of sites) {
    if (shape.type !== 'leaf') continue;
    for (const spelling of spellingsOf(shape, { type, field }, sources)) if (spelling !== value) yield withValue(rich, path, spelling);
  }
}

/** Values of annotations and labels in which code expects one form. */
const wordValues: readonly string[] = ['', 'true', 'false', 'TRUE', '0', '1', '-1', '1.5', 'abc', 'a,b', '{', '1h', '500m', 'ü'];
const maxWords = 60;

/** Returns objects whose annotations and labels have the keys that the webhooks know, all at once, with one value each. */
export function withWords(plain: ValueMap, words: readonly string[]): ValueMap[] {
  const keys = words.filter(word => /^(?:[a-z0-9][a-z0-9.-]*\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,60}[A-Za-z0-9])?$/.test(word));
  const qualified = [...keys.filter(key => key.includes('/')), ...keys.filter(key => !key.includes('/'))].slice(0, maxWords);
  if (qualified.length === 0) return [];
  const entries = (value: string): ValueMap => new Map(qualified.map(key => [key, value]));
  return [
    ...wordValues.map(value => withValue(plain, ['metadata', 'annotations'], entries(value))),
    ...wordValues.filter(value => /^[A-Za-z0-9.]*$/.test(value)).map(value => withValue(plain, ['metadata', 'labels'], entries(value))),
  ];
}

/** One site of each field of a type; each entry of a map is one. */
function distinct(sites: readonly Site[]): Site[] {
  const seen = new Set<string>();
  return sites.filter(({ type, field, key }) => {
    const name = `${type}.${field} ${typeof key === 'number' ? '' : key}`;
    return !seen.has(name) && seen.add(name) !== undefined;
  });
}

function enlarged({ shape, value }: Site, { random }: Sources): Value | undefined {
  if (shape.type === 'list' && isList(value)) {
    const one = value[0];
    if (one === undefined || shape.maxItems < value.length) return undefined;
    const count = Math.min(many, shape.maxItems);
    return [
      ...value,
      ...Array.from({ length: Math.max(0, count - value.length) }, (_, i) =>
        withOtherKeys(copyOf(one), [...shape.keys, 'name'], random, i),
      ),
    ];
  }
  const [entry] = isMap(value) ? [...value.values()] : [];
  if (shape.type !== 'map' || !isMap(value) || entry === undefined) return undefined;
  return new Map<string, Value>([...value, ...Array.from({ length: many }, (_, i): [string, Value] => [`key-${i}`, copyOf(entry)])]);
}
