import { copyOf, isList, isMap, mapAt, type Value, type ValueMap } from '../../go/value.js';
import type { ObjectShape } from '../schemas/shape.js';
import { freeText, type Generator, generate, generateEntry } from '../values/generate.js';
import { objectName } from '../values/names.js';
import type { Random } from '../values/random.js';
import { longText } from '../values/texts.js';
import { type InputSite, isChangeable, sitesOf } from './sites.js';

/** A changed object, and the sorts of its changes. */
export interface Mutated {
  readonly object: ValueMap;
  readonly changes: readonly string[];
}

/** How an object is changed. */
export interface MutationOptions {
  readonly times: number;
  /** Prefers fields that no accepted object had yet. */
  readonly prefersNew: boolean;
}

/** One way to change a value in place. */
interface Change {
  /** `core/v1.PodSpec.hostNetwork:set` */
  readonly name: string;
  readonly weight: number;
  readonly apply: () => void;
}

/** Returns a changed copy of an object. Changes that the API server mostly refuses become rare. */
export function mutated(object: ValueMap, shape: ObjectShape, generator: Generator, { times, prefersNew }: MutationOptions): Mutated {
  const copy = copyOf(object);
  const changes: string[] = [];
  for (let i = 0; i < times; i += 1) {
    const change = chosenChange(copy, shape, generator, prefersNew);
    change?.apply();
    if (change !== undefined) changes.push(change.name);
  }
  return { object: copy, changes };
}

function chosenChange(object: ValueMap, shape: ObjectShape, generator: Generator, prefersNew: boolean): Change | undefined {
  const { random: r } = generator;
  if (r.chance(8)) return renaming(object, generator);
  const root: InputSite = { holder: new Map(), key: '', shape, type: '', field: '', value: object, path: [] };
  const metadata = mapAt(object, 'metadata');
  const metadataShape = shape.fields.get('metadata');
  const ofMetadata: InputSite[] =
    metadata === undefined || metadataShape === undefined
      ? []
      : [
          {
            holder: object,
            key: 'metadata',
            shape: metadataShape,
            type: shape.name,
            field: 'metadata',
            value: metadata,
            path: ['metadata'],
          },
        ];
  const sites = [root, ...ofMetadata, ...ofMetadata, ...sitesOf(object, shape)];
  if (prefersNew && r.chance(shareOfNew)) {
    const unsent = sites.flatMap(({ shape: of, value, path }) =>
      of.type === 'object' && isMap(value) ? unsentFields(value, of, path.length, generator) : [],
    );
    if (unsent.length > 0) return r.pick(unsent);
  }
  const site = r.pick(sites);
  return r.weighted(changesOf(site, generator), change => change.weight * generator.knowledge.odds(change.name));
}

/** Share of changes, in percent, that add a field which no accepted object had yet. */
const shareOfNew = 55;

/** Returns changes that add such fields, except where the API server refused them before. */
function unsentFields(value: ValueMap, shape: ObjectShape, depth: number, generator: Generator): Change[] {
  const { knowledge } = generator;
  return fieldChanges(value, shape, depth, generator).filter(
    ({ name }) => !knowledge.isCovered(name.replace(/:set$/, '')) && knowledge.odds(name) > minOdds,
  );
}

/** Reached after five refusals. */
const minOdds = 0.15;

/** Other names: generated ones, long ones, ones with dots. */
function renaming(object: ValueMap, { random: r, pools }: Generator): Change | undefined {
  const metadata = mapAt(object, 'metadata');
  if (metadata === undefined) return undefined;
  const generated = (): void => {
    metadata.delete('name');
    metadata.set('generateName', r.pick(['a-', 'web-', `${'g'.repeat(57)}-`]));
  };
  const named = (): void => {
    metadata.delete('generateName');
    metadata.set('name', objectName(r, pools));
  };
  return r.chance(40)
    ? { name: 'metadata.generateName:set', weight: 1, apply: generated }
    : { name: 'metadata.name:set', weight: 1, apply: named };
}

function changesOf(site: InputSite, generator: Generator): Change[] {
  const { shape, value, path } = site;
  const own = path.length === 0 || (path.length === 1 && path[0] === 'metadata') ? [] : changesAt(site, generator);
  if (shape.type === 'object' && isMap(value)) return [...own, ...fieldChanges(value, shape, path.length, generator)];
  if (shape.type === 'map' && isMap(value)) return [...own, ...entryChanges(site, value, generator)];
  if (shape.type === 'list' && isList(value)) return [...own, ...itemChanges(site, value, generator)];
  return own;
}

/** Removes or replaces the value itself. */
function changesAt({ holder, key, shape, type, field }: InputSite, generator: Generator): Change[] {
  const name = `${type}.${field}`;
  const replace = (value: Value): void => {
    if (isList(holder)) holder[Number(key)] = value;
    else holder.set(String(key), value);
  };
  const remove = (): void => {
    if (isList(holder)) holder.splice(Number(key), 1);
    else holder.delete(String(key));
  };
  const isText = shape.type === 'leaf' && shape.leaf === 'string';
  return [
    { name: `${name}:remove`, weight: 2, apply: remove },
    {
      name: `${name}:replace`,
      weight: shape.type === 'leaf' ? 5 : 1,
      apply: () => replace(generate(shape, { type, field }, generator, 1)),
    },
    ...(isText ? [{ name: `${name}:text`, weight: 2, apply: () => replace(freeText(generator)) }] : []),
    ...(isText
      ? [{ name: `${name}:huge`, weight: 0.15, apply: () => replace(longText(generator.random, [20_000, 120_000, 300_000])) }]
      : []),
    { name: `${name}:null`, weight: 0.2, apply: () => replace(null) },
  ];
}

/** Adds an absent field; one that was never sent yet is preferred. */
function fieldChanges(value: ValueMap, shape: ObjectShape, depth: number, generator: Generator): Change[] {
  return [...shape.fields].flatMap(([field, of]) => {
    if (value.has(field) || !isChangeable(shape, field, depth)) return [];
    const name = `${shape.name}.${field}:set`;
    const apply = (): void => {
      value.set(field, generate(of, { type: shape.name, field }, generator, 1));
    };
    return [{ name, weight: generator.knowledge.isCovered(`${shape.name}.${field}`) ? 1 : 6, apply }];
  });
}

function entryChanges({ shape, type, field }: InputSite, value: ValueMap, generator: Generator): Change[] {
  if (shape.type !== 'map') return [];
  const add = (): void => {
    const [key, member] = generateEntry(shape, { type, field }, generator);
    value.set(key, member);
  };
  const addMany = (): void => {
    const count = generator.random.pick([20, 64, 200]);
    const [, member] = generateEntry(shape, { type, field }, generator);
    for (let i = 0; i < count; i += 1) value.set(`key-${i}`, copyOf(member));
  };
  return [
    { name: `${type}.${field}:add`, weight: 6, apply: add },
    { name: `${type}.${field}:many`, weight: 0.5, apply: addMany },
    { name: `${type}.${field}:clear`, weight: 1, apply: () => value.clear() },
  ];
}

function itemChanges({ shape, type, field }: InputSite, value: Value[], generator: Generator): Change[] {
  if (shape.type !== 'list') return [];
  const { random: r } = generator;
  const place = { type, field };
  const duplicate = (): void => {
    if (value.length > 0) value.push(withOtherKeys(copyOf(r.pick(value)), shape.keys, r, value.length));
  };
  const many = (): void => {
    const one = value[0] ?? generate(shape.items, place, generator, 1);
    const count = r.pick([20, 64, 128]);
    for (let i = 0; i < count; i += 1) value.push(withOtherKeys(copyOf(one), [...shape.keys, 'name'], r, i));
  };
  const fresh = (): void => {
    value.splice(0, 0, generate(shape.items, place, generator, 1));
  };
  return [
    { name: `${type}.${field}:append`, weight: 5, apply: () => value.push(generate(shape.items, place, generator, 1)) },
    { name: `${type}.${field}:insert`, weight: 1, apply: fresh },
    { name: `${type}.${field}:duplicate`, weight: 2, apply: duplicate },
    { name: `${type}.${field}:many`, weight: 0.5, apply: many },
    { name: `${type}.${field}:clear`, weight: 1, apply: () => value.splice(0) },
    { name: `${type}.${field}:reverse`, weight: 0.3, apply: () => value.reverse() },
  ];
}

/** Items of most lists need different names; half of the time other members stay equal, such as numbers of ports. */
export function withOtherKeys(item: Value, keys: readonly string[], r: Random, index: number): Value {
  if (!isMap(item)) return item;
  for (const key of keys) {
    const value = item.get(key);
    if (typeof value === 'string') {
      if (key === 'protocol') item.set(key, r.pick(['TCP', 'UDP', 'SCTP']));
      else item.set(key, `${value.slice(0, 50)}-${index}`);
    } else if (typeof value === 'bigint' && r.chance(70)) item.set(key, (value % 60000n) + BigInt(index) + 1n);
  }
  if (keys.length === 0 || !keys.includes('name')) {
    const name = item.get('name');
    if (typeof name === 'string' && r.chance(80)) item.set('name', `${name.slice(0, 50)}-${index}`);
  }
  return item;
}
