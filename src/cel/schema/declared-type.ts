import { isList, stringAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { StructDeclaration } from '../check/type-provider.js';
import { escapePropertyName, isReserved } from '../values/property-name.js';
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, listType, mapType, STRING, structType, TIMESTAMP, type Type } from '../values/type.js';
import { otherMembers, type RuleSchema, withTypeAndObjectMeta } from './rule-schema.js';

/** Type that a schema declares, with size limits. Source: apiserver pkg/cel/types.go DeclType. */
export interface DeclaredType {
  /** Undefined for an object: its type is named where it is used. */
  readonly type: Type | undefined;
  /** By escaped name; undefined when this is not an object. */
  readonly fields: ReadonlyMap<string, DeclaredType> | undefined;
  /** For a list or a map. */
  readonly element: DeclaredType | undefined;
  /** For a map. */
  readonly key: DeclaredType | undefined;
  /** Maximum number of items, entries, bytes or characters; 0 for types without a size. */
  readonly maxElements: bigint;
  /** Minimum number of bytes of such a value as JSON. */
  readonly minSerializedSize: number;
}

/** Maximum size of a request in bytes. Source: apiserver pkg/apis/cel MaxRequestSizeBytes. */
export const maxRequestSize = 3 * 1024 * 1024;

/**
 * Type declared by a schema; undefined for values that are not visible to expressions. `isResourceRoot`: a whole object. Source: apiserver
 * pkg/cel/common/schemas.go SchemaDeclType.
 */
export function declaredTypeOf(server: ApiServer, given: RuleSchema, isResourceRoot: boolean): DeclaredType | undefined {
  if (given.intOrString) return simple(DYN, 1, maxTextSize(given, textInRequest));
  const schema = isResourceRoot ? withTypeAndObjectMeta(given, server) : given;
  switch (schema.type) {
    case 'array':
      return declaredList(server, schema);
    case 'object':
      return declaredMembers(server, schema);
    case 'string':
      return declaredText(schema);
    case 'boolean':
      return simple(BOOL, 4, 0n);
    case 'number':
      return simple(DOUBLE, 1, 0n);
    case 'integer':
      return simple(INT, 1, 0n);
    default:
      return undefined;
  }
}

/**
 * The CEL type, and declarations of all types nested in it; objects are named after `name` and their path. Source: apiserver
 * pkg/cel/types.go MaybeAssignTypeName, FieldTypeMap.
 */
export function namedType(declared: DeclaredType, name: string): { readonly type: Type; readonly structs: Map<string, StructDeclaration> } {
  const structs = new Map<string, StructDeclaration>();
  return { type: nameType(declared, name, structs), structs };
}

function nameType(declared: DeclaredType, name: string, structs: Map<string, StructDeclaration>): Type {
  if (declared.fields !== undefined) return nameObject(declared.fields, name, structs);
  if (declared.element === undefined) return declared.type ?? DYN;
  const element = nameType(declared.element, `${name}.${declared.key === undefined ? '@idx' : '@elem'}`, structs);
  const type = declared.key === undefined ? listType(element) : mapType(STRING, element);
  structs.set(name, { type, fields: new Map() });
  return type;
}

function nameObject(members: ReadonlyMap<string, DeclaredType>, name: string, structs: Map<string, StructDeclaration>): Type {
  const type = structType(name);
  const fields = new Map<string, Type>();
  for (const [field, of] of members) {
    const fieldType = nameType(of, `${name}.${field}`, structs);
    fields.set(field, fieldType);
    // A field with the name of a reserved word is also accessible by that name.
    const plain = /^__(.+)__$/.exec(field)?.[1];
    if (plain !== undefined && isReserved(plain) && !members.has(plain)) fields.set(plain, fieldType);
  }
  structs.set(name, { type, fields });
  return type;
}

function simple(type: Type, minSerializedSize: number, maxElements: bigint): DeclaredType {
  return { type, fields: undefined, element: undefined, key: undefined, maxElements, minSerializedSize };
}

/** The maximum length of map keys is not taken into account. */
const anyKey = simple(STRING, 2, 0n);

function declaredList(server: ApiServer, schema: RuleSchema): DeclaredType | undefined {
  const { items } = schema;
  const element = items === undefined ? undefined : declaredTypeOf(server, items, items.embeddedResource);
  if (element === undefined) return undefined;
  const maxElements = limitOf(schema, 'maxItems') ?? countInRequest(element.minSerializedSize + 1);
  return { type: undefined, fields: undefined, element, key: undefined, maxElements, minSerializedSize: 2 };
}

function declaredMembers(server: ApiServer, schema: RuleSchema): DeclaredType | undefined {
  const members = otherMembers<RuleSchema>(schema);
  if (members === undefined) return declaredObject(server, schema);
  const element = declaredTypeOf(server, members, members.embeddedResource);
  if (element === undefined) return undefined;
  const maxElements = limitOf(schema, 'maxProperties') ?? countInRequest(element.minSerializedSize + 6);
  return { type: undefined, fields: undefined, element, key: anyKey, maxElements, minSerializedSize: 2 };
}

/** Only required members without a default count toward the minimum size. */
function declaredObject(server: ApiServer, schema: RuleSchema): DeclaredType {
  const required = schema.source.get('required');
  const names = new Set(isList(required) ? required : []);
  const fields = new Map<string, DeclaredType>();
  let minSerializedSize = 2;
  for (const [name, property] of schema.properties) {
    const of = declaredTypeOf(server, property, property.embeddedResource);
    if (of === undefined) continue;
    const field = escapePropertyName(name);
    if (field !== undefined) fields.set(field, of);
    if (names.has(name) && (property.default ?? null) === null) minSerializedSize += Buffer.byteLength(name) + of.minSerializedSize + 4;
  }
  return { type: undefined, fields, element: undefined, key: undefined, maxElements: 0n, minSerializedSize };
}

/** Number of elements of a size that fit into a value as large as a request. */
function countInRequest(minSerializedSize: number): bigint {
  return BigInt(Math.floor((maxRequestSize - 2) / minSerializedSize));
}

/** Maximum length of a string in a request, without its quotation marks. */
const textInRequest = BigInt(maxRequestSize - 2);

const durationSize = 32n;
const dateSize = 12n;
const timeSize = 32n;
const shortestDate = 12;
const shortestTime = 21;

function declaredText(schema: RuleSchema): DeclaredType {
  switch (stringAt(schema.source, 'format')) {
    case 'byte':
      return simple(BYTES, 2, limitOf(schema, 'maxLength') ?? textInRequest);
    case 'duration':
      return simple(DURATION, 3, durationSize);
    case 'date':
      return simple(TIMESTAMP, shortestDate, dateSize);
    case 'date-time':
      return simple(TIMESTAMP, shortestTime, timeSize);
    default:
      return simple(STRING, 2, maxTextSize(schema, longestOf(schema.source.get('enum')) ?? textInRequest));
  }
}

/** A schema counts characters, and one may take four bytes. The product wraps around as an int64 in Go. */
function maxTextSize(schema: RuleSchema, otherwise: bigint): bigint {
  const characters = limitOf(schema, 'maxLength');
  return characters === undefined ? otherwise : BigInt.asUintN(64, characters * 4n);
}

function longestOf(allowed: unknown): bigint | undefined {
  if (!Array.isArray(allowed) || allowed.length === 0) return undefined;
  return BigInt(Math.max(0, ...allowed.map(value => (typeof value === 'string' ? Buffer.byteLength(value) : 0))));
}

function limitOf({ source }: RuleSchema, name: string): bigint | undefined {
  const limit = source.get(name);
  if (typeof limit !== 'bigint' && !Number.isInteger(limit)) return undefined;
  const count = BigInt(limit as bigint | number);
  return count < 0n ? 0n : count;
}
