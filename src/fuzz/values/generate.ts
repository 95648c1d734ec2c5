import type { Value, ValueMap } from '../../go/value.js';
import type { Knowledge } from '../schemas/knowledge.js';
import type { ListShape, MapShape, ObjectShape, SchemaShape } from '../schemas/shape.js';
import { type LeafPlace, leafValue, type ValueSources } from './leaf-value.js';
import { labelKeys, labelValues } from './names.js';
import { anyText } from './texts.js';

/** Sources of values, and what is known about types. */
export interface Generator extends ValueSources {
  readonly knowledge: Knowledge;
}

/** Nesting after which only required fields are generated: some types contain themselves. */
const maxDepth = 6;

/** Returns a value of a shape; mostly a valid one. */
export function generate(shape: SchemaShape, place: LeafPlace, generator: Generator, depth = 0): Value {
  switch (shape.type) {
    case 'object':
      return generateObject(shape, generator, depth);
    case 'map':
      return generateMap(shape, place, generator, depth);
    case 'list':
      return generateList(shape, place, generator, depth);
    default:
      return leafValue(shape, place, generator);
  }
}

/** Server-side and rarely valid fields of metadata in templates. */
const metadataFields = new Set(['labels', 'annotations', 'name']);

/** Returns an object with its required fields and some others. */
export function generateObject(shape: ObjectShape, generator: Generator, depth = 0): ValueMap {
  const { random: r, knowledge } = generator;
  const must = [...new Set([...shape.required, ...knowledge.required(shape.name)])].filter(field => shape.fields.has(field));
  const isMetadata = shape.name.endsWith('.ObjectMeta');
  const optional = [...shape.fields.keys()].filter(field => !must.includes(field) && (!isMetadata || metadataFields.has(field)));
  const wanted = depth > maxDepth || optional.length === 0 ? 0 : must.length > 0 ? r.below(3) : 1 + r.below(2);
  const chosen = Array.from({ length: wanted }, () =>
    r.weighted(optional, field => (knowledge.isCovered(`${shape.name}.${field}`) ? 1 : 3) * knowledge.odds(`${shape.name}.${field}:set`)),
  );
  const value: ValueMap = new Map();
  for (const field of [...must, ...chosen]) {
    const of = field === undefined ? undefined : shape.fields.get(field);
    if (field !== undefined && of !== undefined && !value.has(field))
      value.set(field, generate(of, { type: shape.name, field }, generator, depth + 1));
  }
  if (shape.isOpen && r.chance(40)) value.set(r.pick(['other', 'a/b', 'x~y', 'ü']), r.pick<Value>(['x', 1n, null, [], new Map()]));
  return value;
}

function generateMap(shape: MapShape, place: LeafPlace, generator: Generator, depth: number): Value {
  const { random: r } = generator;
  const size = r.pick([0, 1, 1, 2, 4]);
  return new Map(Array.from({ length: size }, () => generateEntry(shape, place, generator, depth)));
}

/** Returns a key and a value for a map. */
export function generateEntry(shape: MapShape, place: LeafPlace, generator: Generator, depth = 0): [string, Value] {
  const { random: r } = generator;
  const key = keyFor(shape, place, generator);
  if (shape.values.type === 'leaf' && shape.values.leaf === 'string' && labelFields.has(place.field)) {
    const fromDictionary = generator.dictionary().filter(text => /^[A-Za-z0-9]?[-A-Za-z0-9_.]{0,61}[A-Za-z0-9]?$/.test(text));
    return [key, fromDictionary.length > 0 && r.chance(20) ? r.pick(fromDictionary) : r.pick(labelValues)];
  }
  return [key, generate(shape.values, { type: place.type, field: `${place.field}{}` }, generator, depth + 1)];
}

/** Maps whose keys and values follow the rules of labels. */
const labelFields = new Set(['labels', 'matchLabels', 'nodeSelector', 'selector']);

function keyFor(shape: MapShape, { field }: LeafPlace, { random: r, dictionary }: ValueSources): string {
  const words = dictionary().filter(text => /^(?:[a-z0-9.-]+\/)?[A-Za-z0-9][-A-Za-z0-9_.]{0,60}[A-Za-z0-9]$/.test(text));
  if (words.length > 0 && r.chance(30)) return r.pick(words);
  if (labelFields.has(field) || field === 'annotations') return r.pick(labelKeys);
  const isQuantity = shape.values.type === 'leaf' && shape.values.leaf === 'quantity';
  if (isQuantity) return r.pick(['cpu', 'memory', 'ephemeral-storage', 'example.com/gpu', 'hugepages-2Mi', 'storage', 'pods']);
  if (field === 'data' || field === 'binaryData' || field === 'stringData')
    return r.pick(['a', 'key.json', 'A_B-c.d', '..a', 'config.yaml', '1', 'tls.crt']);
  return r.pick([...labelKeys, 'a/b', 'a~b', '~', '', 'ü', 'x y', '__proto__', 'a.b[0]', '"', '-', '0']);
}

function generateList(shape: ListShape, place: LeafPlace, generator: Generator, depth: number): Value {
  const { random: r } = generator;
  const length = Math.min(Math.max(depth > maxDepth ? 0 : r.pick([0, 1, 1, 1, 2]), shape.minItems), shape.maxItems);
  return withoutDuplicates(
    Array.from({ length }, () => generate(shape.items, place, generator, depth + 1)),
    shape,
  );
}

/** Removes duplicates from sets. */
function withoutDuplicates(items: Value[], { isSet }: ListShape): Value[] {
  return isSet ? [...new Set(items)] : items;
}

/** Returns a text for a value that takes any. */
export function freeText(generator: Generator): string {
  return anyText(generator.random, generator.pools, generator.dictionary());
}
