import { compilePattern } from '../../../cel/values/regex.js';
import { ensureMap, isList, isMap, listAt, stringAt, stringsAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import { apiVersionOf } from '../../../kubernetes/group-version.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import type { SchemaNode } from '../../../lint/schema-nodes.js';

/** Returns the schemas directly inside another one. */
export type Inner = (node: SchemaNode) => readonly SchemaNode[];

interface SampleFields {
  /** Optional fields that the object has. */
  readonly present: ReadonlySet<SchemaNode>;
  readonly inside: Inner;
  /** One of them, which is empty: `''`, 0, false, a list without items, an object with its required fields. */
  readonly empty?: SchemaNode;
}

/**
 * Returns the smallest object of a definition that contains a value of a schema: `way` leads from the schema of the whole object to it.
 * It may be invalid: not every pattern has a known example.
 */
export function sampleObject(resource: Resource, way: readonly SchemaNode[], fields: SampleFields): ValueMap {
  const wanted = new Set([...way, ...fields.present]);
  const [root] = way;
  const object = root === undefined ? new Map<string, Value>() : membersOf(root, { ...fields, present: wanted });
  object.set('apiVersion', apiVersionOf(resource));
  object.set('kind', resource.kind.kind);
  const metadata = ensureMap(object, 'metadata');
  metadata.set('name', 'probe');
  if (resource.namespaced) metadata.set('namespace', 'default');
  return object;
}

function membersOf(node: SchemaNode, fields: SampleFields): ValueMap {
  const { schema } = node;
  const required = stringsAt(schema, 'required');
  const members: ValueMap = new Map();
  for (const inner of fields.inside(node)) {
    if (inner.property === undefined) {
      if (fields.present.has(inner)) members.set('a', sampleOf(inner, fields));
    } else if (fields.present.has(inner) || (required.includes(inner.property) && !inner.schema.has('default')))
      members.set(inner.property, sampleOf(inner, fields));
  }
  return members;
}

function sampleOf(node: SchemaNode, fields: SampleFields): Value {
  const { schema } = node;
  if (node === fields.empty && stringAt(schema, 'type') !== 'object') return emptyOf(schema);
  const [first] = listAt(schema, 'enum');
  if (first !== undefined && !isMap(first) && !isList(first)) return first;
  if (valueAt(schema, 'x-kubernetes-int-or-string') === true) return 1n;
  switch (stringAt(schema, 'type')) {
    case 'object':
      return membersOf(node, fields);
    case 'array':
      return itemsOf(node, fields);
    case 'string':
      return sampleText(schema);
    case 'boolean':
      return true;
    default:
      return numberOf(schema);
  }
}

function emptyOf(schema: ValueMap): Value {
  switch (stringAt(schema, 'type')) {
    case 'array':
      return [];
    case 'string':
      return '';
    case 'boolean':
      return false;
    default:
      return 0n;
  }
}

function itemsOf(node: SchemaNode, fields: SampleFields): Value {
  const [item] = fields.inside(node);
  if (item === undefined) return [];
  return fields.present.has(item) || Number(valueAt(node.schema, 'minItems') ?? 0) > 0 ? [sampleOf(item, fields)] : [];
}

function numberOf(schema: ValueMap): Value {
  const least = valueAt(schema, 'minimum');
  return typeof least === 'bigint' && least > 1n ? least : 1n;
}

/** Longer texts are not made: the object is then invalid. */
const maxLength = 1000;

const texts = [
  'a',
  'A',
  '1',
  'a.b',
  'a/b',
  'https://a.b',
  '10.0.0.0/24',
  '10.0.0.1',
  '1s',
  '1Gi',
  '1h0m0s',
  '2026-01-01T00:00:00Z',
  'aa:bb',
  '#aa',
];

function sampleText(schema: ValueMap): string {
  const format = stringAt(schema, 'format');
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  const least = Number(valueAt(schema, 'minLength') ?? 0);
  if (least > maxLength) return 'a';
  const padded = texts.map(text => text.padEnd(least, text));
  const pattern = compilePattern(stringAt(schema, 'pattern'));
  return padded.find(text => !('regex' in pattern) || pattern.regex.test(text)) ?? 'a';
}
