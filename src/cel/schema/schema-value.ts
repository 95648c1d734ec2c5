import { Base64Error } from '../../go/base64.js';
import { ownMember } from '../../go/own-members.js';
import { goTypeOf, printGo } from '../../go/print.js';
import { TimeError } from '../../go/quote-for-time.js';
import { isList, isMap, sameValue, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { extensionKind } from '../values/extension.js';
import { adapt } from '../values/found.js';
import { schemedList } from '../values/schemed.js';
import { structType } from '../values/type.js';
import { bytes, type CelValue, celDuration, celError, celNull, type FoundValue } from '../values/value.js';
import { formatBytes, formatDate, formatDateTime, formatDuration } from './format-values.js';
import { otherMembers, type RuleSchema, withTypeAndObjectMeta } from './rule-schema.js';

/**
 * CEL value for a value with a schema; a mismatch with the schema is an error on access. Source: apiserver
 * pkg/cel/common/valuesunstructured.go UnstructuredToVal.
 */
export function schemaValue(value: Value, schema: RuleSchema): CelValue {
  if (value === null) return schema.nullable ? celNull : celError('invalid data, got null for schema with nullable=false');
  if (schema.intOrString) {
    const fits = typeof value === 'string' || typeof value === 'bigint';
    return fits ? value : celError('invalid data, expected XIntOrString value to be either a string or integer');
  }
  switch (schema.type) {
    case 'object':
      return isMap(value) ? objectValue(value, schema) : celError('invalid data, expected a map for the provided schema with type=object');
    case 'array':
      return isList(value) ? listValue(value, schema) : celError('invalid data, expected an array for the provided schema with type=array');
    case 'string':
      return typeof value === 'string' ? textValue(value, schema) : celError(`invalid data, expected string, got ${goTypeOf(value)}`);
    case 'number':
      if (typeof value === 'bigint') return Number(value);
      return typeof value === 'number' ? value : celError(`invalid data, expected float, got ${goTypeOf(value)}`);
    case 'integer':
      return typeof value === 'bigint' ? value : celError(`invalid data, expected int, got ${goTypeOf(value)}`);
    case 'boolean':
      return typeof value === 'boolean' ? value : celError(`invalid data, expected bool, got ${goTypeOf(value)}`);
    default:
      return schema.preserveUnknownFields ? preserved(value) : celError(`${unknownType}${schema.type}`);
  }
}

const unknownType =
  'invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ';

function objectValue(object: ValueMap, given: RuleSchema): CelValue {
  const schema = given.embeddedResource ? withTypeAndObjectMeta(given) : given;
  const hasEscapedNames = schema.properties.size > 0;
  const others = hasEscapedNames ? undefined : otherMembers<RuleSchema>(schema);
  const byKey = new Map<string, FoundValue>();
  for (const [name, member] of object) {
    const of = hasEscapedNames ? schema.properties.get(name) : others;
    // In an object, null is treated as absent; in a map it is a value.
    if (of !== undefined && !(hasEscapedNames && member === null)) byKey.set(name, schemaValue(member, of));
  }
  return { kind: 'map', entries: { keys: 'strings', byKey }, schemed: { raw: object, hasEscapedNames } };
}

const listTypes = ['atomic', 'set', 'map'] as const;
const unknownListType = "invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ";

function listValue(list: readonly Value[], schema: RuleSchema): CelValue {
  const { items, listType = '', listMapKeys } = schema;
  if (items === undefined) return celError('invalid array type, expected Items with a non-empty Schema');
  const type = listType === '' ? 'atomic' : listTypes.find(known => known === listType);
  if (type === undefined) return celError(`${unknownListType}${listType}`);
  const wrap = (raw: FoundValue): CelValue => (isData(raw) ? schemaValue(raw, items) : adapt(raw));
  return schemedList({ type, raw: list, keys: listMapKeys, wrap });
}

function textValue(text: string, schema: RuleSchema): CelValue {
  const read = ownMember(readers, stringAt(schema.source, 'format'));
  if (read === undefined) return text;
  try {
    return read.value(text);
  } catch (error) {
    if (error instanceof Base64Error || error instanceof TimeError) return celError(`${read.message} ${text}: ${error.message}`);
    throw error;
  }
}

interface Reader {
  readonly message: string;
  /** Throws TimeError or Base64Error. */
  readonly value: (text: string) => CelValue;
}

/** Strings of these formats have another CEL type. */
const readers: Partial<Record<string, Reader>> = {
  duration: { message: 'Invalid duration', value: text => celDuration(formatDuration(text)) },
  date: { message: 'Invalid date formatted string', value: formatDate },
  'date-time': { message: 'Invalid date-time formatted string', value: formatDateTime },
  byte: { message: 'Invalid byte formatted string', value: text => bytes(formatBytes(text)) },
};

/** Data without a schema: it supports only comparison. */
const preservedKind = extensionKind<Value>(structType('unknown', 0));

function preserved(value: Value): CelValue {
  return preservedKind.make({
    content: value,
    equals: other => sameValue(value, other),
    goText: printGo(value),
    goType: '*common.unknownPreserved',
  });
}

/** Reports whether this is JSON data and not a CEL value. */
function isData(found: FoundValue): found is Value {
  if (typeof found !== 'object' || found === null) return true;
  return found instanceof Map || Array.isArray(found) || 'rawJson' in found;
}
