import { isList, isMap, listAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ObjectShape, SchemaShape } from '../schemas/shape.js';
import { type Generator, generate } from '../values/generate.js';

/**
 * Changes an object in place by the causes of a refusal: adds what is required, replaces what is not supported, removes the rest. Remembers
 * required fields and supported values. Returns false if no cause names a place in the object.
 */
export function repair(object: ValueMap, shape: ObjectShape, status: ValueMap, generator: Generator): boolean {
  let isChanged = false;
  for (const cause of listAt(status, 'details', 'causes')) {
    const path = pathOf(stringAt(cause, 'field'));
    if (path.length === 0) continue;
    isChanged =
      repairAt(object, shape, { path, reason: stringAt(cause, 'reason'), message: stringAt(cause, 'message') }, generator) || isChanged;
  }
  return isChanged;
}

/** Steps of `spec.containers[0].ports[1].name` and `metadata.labels[a/b]`. */
function pathOf(field: string): (string | number)[] {
  return [...field.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)].map(
    ([, name, index = '']) => name ?? (/^\d+$/.test(index) ? Number(index) : index),
  );
}

interface Cause {
  readonly path: readonly (string | number)[];
  readonly reason: string;
  readonly message: string;
}

function repairAt(object: ValueMap, shape: ObjectShape, { path, reason, message }: Cause, generator: Generator): boolean {
  let value: Value | undefined = object;
  let at: SchemaShape | undefined = shape;
  let place = { type: shape.name, field: '' };
  for (const [i, step] of path.entries()) {
    const next: SchemaShape | undefined = memberShape(at, step);
    const nextPlace: Wanted['place'] = at?.type === 'object' ? { type: at.name, field: String(step) } : place;
    if (i === path.length - 1) {
      if (!isMap(value) && !isList(value)) return false;
      return settle(value, step, { shape: next, place: nextPlace, reason, message }, generator);
    }
    const inner: Value | undefined = isMap(value) ? value.get(String(step)) : isList(value) ? value[Number(step)] : undefined;
    if (inner === undefined || inner === null) return settleMissing(value, step, { shape: next, place: nextPlace }, generator);
    [value, at, place] = [inner, next, nextPlace];
  }
  return false;
}

function memberShape(shape: SchemaShape | undefined, step: string | number): SchemaShape | undefined {
  if (shape?.type === 'object') return shape.fields.get(String(step));
  if (shape?.type === 'map') return shape.values;
  return shape?.type === 'list' ? shape.items : undefined;
}

interface Wanted {
  readonly shape: SchemaShape | undefined;
  readonly place: { readonly type: string; readonly field: string };
}

function settleMissing(holder: Value | undefined, step: string | number, { shape, place }: Wanted, generator: Generator): boolean {
  if (!isMap(holder) || shape === undefined) return false;
  holder.set(String(step), generate(shape, place, generator, 2));
  return true;
}

function settle(
  holder: ValueMap | Value[],
  step: string | number,
  { shape, place, reason, message }: Wanted & Pick<Cause, 'reason' | 'message'>,
  generator: Generator,
): boolean {
  const { knowledge } = generator;
  const present = isMap(holder) ? holder.has(String(step)) : Number(step) < holder.length;
  if (reason === 'FieldValueNotSupported') {
    const texts = [...message.slice(message.indexOf('supported values:')).matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text);
    if (texts.length > 0) knowledge.learnSupported(`${place.type}.${place.field}`, texts);
    return set(holder, step, texts.length > 0 ? generator.random.pick(texts) : undefined);
  }
  if (reason === 'FieldValueRequired' && shape !== undefined && (!present || shape.type === 'leaf')) {
    if (isMap(holder) && place.field === String(step)) knowledge.learnRequired(place.type, place.field);
    return set(holder, step, generate(shape, place, generator, 2));
  }
  return set(holder, step, undefined);
}

/** Sets a member, or removes it without a value. */
function set(holder: ValueMap | Value[], step: string | number, value: Value | undefined): boolean {
  if (isMap(holder)) {
    if (value === undefined) return holder.delete(String(step));
    holder.set(String(step), value);
    return true;
  }
  const index = Number(step);
  if (!Number.isInteger(index) || index >= holder.length) return false;
  if (value === undefined) holder.splice(index, 1);
  else holder[index] = value;
  return true;
}
