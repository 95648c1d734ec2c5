import type { FieldSchema, LeafSchema, Schema, StructSchema } from '../../src/kubernetes/schema.js';
import type { Random } from './random.js';
import {
  annotationValues,
  keysOf,
  microTimes,
  oddTimes,
  quantities,
  rawValues,
  strings,
  times,
  words,
  wrong,
} from './random-document-values.js';

/** Frequency of unusual values in a document, in percent; 0 for documents that can all be decoded. */
export interface Oddness {
  readonly percent: number;
}

/** The JSON text of a random object of a built-in kind: plausible values that trigger defaulting rules, and unusual ones. */
export function randomDocument(
  r: Random,
  schema: StructSchema,
  { apiVersion, kind, odd }: { apiVersion: string; kind: string; odd: Oddness },
): string {
  const members = fieldsText(r, schema, { depth: 0, odd, skip: new Set(['apiVersion', 'kind']) });
  return `{${[`"apiVersion":${JSON.stringify(apiVersion)}`, `"kind":${JSON.stringify(kind)}`, ...members].join(',')}}`;
}

interface Place {
  readonly depth: number;
  readonly odd: Oddness;
  readonly field?: string;
  readonly skip?: ReadonlySet<string>;
}

function fieldsText(r: Random, schema: StructSchema, place: Place): string[] {
  const members: string[] = [];
  for (const field of schema.fields) {
    // A taint without a time gets the present time.
    const isClock = field.name === 'timeAdded';
    if (place.skip?.has(field.name) || !(isClock || r.chance(percentAt(place.depth, field)))) continue;
    const name = JSON.stringify(field.name);
    members.push(
      `${name}:${isClock ? '"2024-01-02T03:04:05Z"' : valueText(r, field.schema, { depth: place.depth + 1, odd: place.odd, field: field.name })}`,
    );
    if (!isClock && r.chance(place.odd.percent)) {
      members.push(`${name}:${valueText(r, field.schema, { depth: place.depth + 1, odd: place.odd, field: field.name })}`);
    }
  }
  if (r.chance(place.odd.percent)) {
    const at = r.below(members.length + 1);
    members.splice(at, 0, `${JSON.stringify(r.pick(['x', 'Spec', 'é', 'a"b', 'a.b', 'metaData']))}:${r.pick(wrong)}`);
  }
  return members;
}

/** Fewer fields at deeper levels, so that documents stay small; fields that rules depend on are more frequent. */
function percentAt(depth: number, field: FieldSchema): number {
  if (depth === 0) return field.name === 'metadata' ? 70 : 85;
  if (field.name === 'managedFields' || field.name === 'ephemeralContainers') return 8;
  return [85, 55, 40, 32, 26, 22, 18, 14, 12][depth] ?? 10;
}

function valueText(r: Random, schema: Schema, place: Place): string {
  if (r.chance(place.odd.percent)) return r.pick(wrong);
  if (r.chance(2)) return 'null';
  switch (schema.type) {
    case 'struct':
      return place.depth > 14 || r.chance(4) ? '{}' : `{${fieldsText(r, schema, { depth: place.depth, odd: place.odd }).join(',')}}`;
    case 'list':
      return `[${repeated(r, () => valueText(r, schema.items, { ...place, depth: place.depth + 1 })).join(',')}]`;
    case 'map':
      return mapText(r, schema.values, place);
    default:
      return leafText(r, schema, place);
  }
}

function mapText(r: Random, values: Schema, place: Place): string {
  const keys = place.field === 'annotations' ? [...keysOf('annotations'), 'a', 'b'] : keysOf(place.field ?? '');
  const names = [...new Set(repeated(r, () => r.pick(keys)))];
  if (r.chance(place.odd.percent)) names.push(...names.slice(0, 1));
  return `{${names.map(name => `${JSON.stringify(name)}:${mapValue(r, name, { values, place })}`).join(',')}}`;
}

function mapValue(r: Random, name: string, { values, place }: { values: Schema; place: Place }): string {
  const special = annotationValues.get(name);
  return special !== undefined && place.field === 'annotations'
    ? JSON.stringify(r.pick(special))
    : valueText(r, values, { ...place, depth: place.depth + 1 });
}

function repeated(r: Random, make: () => string): string[] {
  return Array.from({ length: r.pick([0, 1, 1, 1, 2, 2, 3]) }, make);
}

function leafText(r: Random, schema: LeafSchema, place: Place): string {
  const odd = r.chance(place.odd.percent * 2);
  switch (schema.leaf) {
    case 'string':
      return JSON.stringify(r.pick(strings.get(place.field ?? '') ?? words));
    case 'bool':
      return r.pick(['true', 'false']);
    case 'int32':
      return r.pick(
        odd ? ['2147483648', '-2147483649', '1.0', '-0', '00'.slice(1)] : ['0', '1', '80', '443', '-1', '-2147483648', '2147483647'],
      );
    case 'int64':
      return r.pick(odd ? ['9223372036854775808', '1e3', '0.5'] : ['0', '1', '30', '-1', '-30', '9223372036854775807']);
    case 'float64':
      return r.pick(['0', '0.5', '1e21', '1e-7', '-0.0', '100', odd ? '1e400' : '2']);
    case 'bytes':
      return r.pick(
        odd
          ? ['"a"', '"%%%"', '"aGk=x"', '[1,256]', '[1,-1]', '["a"]', '"aGk"']
          : ['""', '"aGk="', '"eA=="', '"e\\nA=="', '[1,2]', '[]', '"eB=="'],
      );
    case 'quantity':
      return r.pick(odd ? ['""', '"1x"', 'true', '"\\u0031"', '1e99', '{}', '"1 Gi"'] : quantities);
    case 'intorstring':
      return r.pick(odd ? ['1.5', 'true', '[]', '2147483648', '{}'] : ['0', '1', '80', '"http"', '"25%"', '""', '"0"']);
    case 'time':
      return r.pick(odd ? oddTimes : times);
    case 'microtime':
      return r.pick(odd ? oddTimes : microTimes);
    case 'duration':
      return r.pick(odd ? ['""', '"1"', '5', '"1x"'] : ['"1h"', '"90s"', '"1.5h"', '"0"']);
    case 'fieldsv1':
      return r.pick(['{"f:a":{}}', '{ "f:<b>" : {} }', '5', '{}']);
    case 'rawextension':
    case 'json':
      return r.pick(rawValues);
    default:
      return alternativeText(r, schema, place);
  }
}

function alternativeText(r: Random, { leaf, of }: LeafSchema, place: Place): string {
  if (leaf === 'any' || of === undefined) return r.pick(rawValues.slice(0, 5));
  const inner = () => (place.depth > 10 ? '{}' : valueText(r, of, { depth: place.depth + 2, odd: place.odd }));
  if (leaf === 'orBool') return r.chance(50) ? inner() : r.pick(['true', 'false']);
  if (leaf === 'orArray') return r.chance(60) ? inner() : `[${repeated(r, inner).join(',')}]`;
  return r.chance(50) ? inner() : r.pick(['["a","b"]', '[]', '[""]', '"x"']);
}
