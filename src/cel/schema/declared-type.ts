import { isList, stringAt } from '../../kubernetes/value.js';
import type { StructDeclaration } from '../check/type-provider.js';
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, listType, mapType, STRING, structType, TIMESTAMP, type Type } from '../values/type.js';
import { escapePropertyName, isReserved } from './property-name.js';
import { otherMembers, type RuleSchema, withTypeAndObjectMeta } from './rule-schema.js';

/** The type a schema gives to a value, with how large such values can be. Source: apiserver pkg/cel/types.go DeclType. */
export interface DeclaredType {
  /** Undefined for an object: its type gets a name where it is used. */
  readonly type: Type | undefined;
  /** By escaped name; undefined when this is no object. */
  readonly fields: ReadonlyMap<string, DeclaredType> | undefined;
  /** Of a list or a map. */
  readonly element: DeclaredType | undefined;
  readonly isMap: boolean;
  /** The most items, entries, bytes or characters that fit into a request. */
  readonly maxElements: number;
  /** The fewest bytes such a value takes as JSON. */
  readonly minSerializedSize: number;
}

/** The most bytes a request may have. Source: apiserver pkg/apis/cel MaxRequestSizeBytes. */
export const maxRequestSize = 3 * 1024 * 1024;

/**
 * The type of values with a schema; undefined when expressions do not see them. `isResourceRoot`: a whole object.
 * Source: apiserver pkg/cel/common/schemas.go SchemaDeclType.
 */
export function declaredTypeOf(given: RuleSchema, isResourceRoot: boolean): DeclaredType | undefined {
  if (given.intOrString) return simple(DYN, 1, maxTextSize(given, maxRequestSize - 2));
  const schema = isResourceRoot ? withTypeAndObjectMeta(given) : given;
  switch (schema.type) {
    case 'array':
      return declaredList(schema);
    case 'object':
      return declaredMembers(schema);
    case 'string':
      return declaredText(schema);
    case 'boolean':
      return simple(BOOL, 4, 0);
    case 'number':
      return simple(DOUBLE, 1, 0);
    case 'integer':
      return simple(INT, 1, 0);
    default:
      return undefined;
  }
}

/**
 * The type as expressions know it, and the declarations of all types in it; objects are named after `name` and the way to them.
 * Source: apiserver pkg/cel/types.go MaybeAssignTypeName, FieldTypeMap.
 */
export function namedType(declared: DeclaredType, name: string): { readonly type: Type; readonly structs: Map<string, StructDeclaration> } {
  const structs = new Map<string, StructDeclaration>();
  return { type: nameType(declared, name, structs), structs };
}

function nameType(declared: DeclaredType, name: string, structs: Map<string, StructDeclaration>): Type {
  if (declared.fields !== undefined) return nameObject(declared.fields, name, structs);
  if (declared.element === undefined) return declared.type ?? DYN;
  const element = nameType(declared.element, `${name}.${declared.isMap ? '@elem' : '@idx'}`, structs);
  const type = declared.isMap ? mapType(STRING, element) : listType(element);
  structs.set(name, { type, fields: new Map() });
  return type;
}

function nameObject(members: ReadonlyMap<string, DeclaredType>, name: string, structs: Map<string, StructDeclaration>): Type {
  const type = structType(name);
  const fields = new Map<string, Type>();
  for (const [field, of] of members) {
    const fieldType = nameType(of, `${name}.${field}`, structs);
    fields.set(field, fieldType);
    // A field that is called like a reserved word goes by that too.
    const plain = /^__(.+)__$/.exec(field)?.[1];
    if (plain !== undefined && isReserved(plain) && !members.has(plain)) fields.set(plain, fieldType);
  }
  structs.set(name, { type, fields });
  return type;
}

function simple(type: Type, minSerializedSize: number, maxElements: number): DeclaredType {
  return { type, fields: undefined, element: undefined, isMap: false, maxElements, minSerializedSize };
}

function declaredList(schema: RuleSchema): DeclaredType | undefined {
  const { items } = schema;
  const element = items === undefined ? undefined : declaredTypeOf(items, items.embeddedResource);
  if (element === undefined) return undefined;
  const maxElements = limitOf(schema, 'maxItems') ?? Math.floor((maxRequestSize - 2) / (element.minSerializedSize + 1));
  return { type: undefined, fields: undefined, element, isMap: false, maxElements, minSerializedSize: 2 };
}

function declaredMembers(schema: RuleSchema): DeclaredType | undefined {
  const members = otherMembers<RuleSchema>(schema);
  if (members === undefined) return declaredObject(schema);
  const element = declaredTypeOf(members, members.embeddedResource);
  if (element === undefined) return undefined;
  const maxElements = limitOf(schema, 'maxProperties') ?? Math.floor((maxRequestSize - 2) / (element.minSerializedSize + 6));
  return { type: undefined, fields: undefined, element, isMap: true, maxElements, minSerializedSize: 2 };
}

/** Only members that must be there and are not filled in count for the least size. */
function declaredObject(schema: RuleSchema): DeclaredType {
  const required = schema.source.get('required');
  const names = new Set(isList(required) ? required : []);
  const fields = new Map<string, DeclaredType>();
  let minSerializedSize = 2;
  for (const [name, property] of schema.properties) {
    const of = declaredTypeOf(property, property.embeddedResource);
    if (of === undefined) continue;
    const field = escapePropertyName(name);
    if (field !== undefined) fields.set(field, of);
    if (names.has(name) && (property.default ?? null) === null) minSerializedSize += Buffer.byteLength(name) + of.minSerializedSize + 4;
  }
  return { type: undefined, fields, element: undefined, isMap: false, maxElements: 0, minSerializedSize };
}

const durationSize = 32;
const dateSize = 12;
const timeSize = 32;
const shortestTime = 21;

function declaredText(schema: RuleSchema): DeclaredType {
  switch (stringAt(schema.source, 'format')) {
    case 'byte':
      return simple(BYTES, 2, limitOf(schema, 'maxLength') ?? maxRequestSize - 2);
    case 'duration':
      return simple(DURATION, 3, durationSize);
    case 'date':
      return simple(TIMESTAMP, dateSize, dateSize);
    case 'date-time':
      return simple(TIMESTAMP, shortestTime, timeSize);
    default:
      return simple(STRING, 2, maxTextSize(schema, longestOf(schema.source.get('enum')) ?? maxRequestSize - 2));
  }
}

/** A schema counts characters, and one may take four bytes. */
function maxTextSize(schema: RuleSchema, otherwise: number): number {
  const characters = limitOf(schema, 'maxLength');
  return characters === undefined ? otherwise : characters * 4;
}

function longestOf(allowed: unknown): number | undefined {
  if (!Array.isArray(allowed) || allowed.length === 0) return undefined;
  return Math.max(0, ...allowed.map(value => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}

function limitOf({ source }: RuleSchema, name: string): number | undefined {
  const limit = source.get(name);
  return typeof limit === 'bigint' || typeof limit === 'number' ? Math.max(0, Number(limit)) : undefined;
}
