import type { Expr, StructField, StructNode } from '../syntax/ast.js';
import { ERROR, formatType, NULL, type Type } from '../values/type.js';
import { isAssignable, takes } from './assignability.js';
import { insideOptional } from './check-aggregates.js';
import { lookUpField, suggestion, undeclared } from './check-names.js';
import { type Checker, check, getType, issueAt, lookUpType, setType } from './checker.js';

/** Checks `Name{field: value}`. */
export function checkStruct(c: Checker, e: Expr, node: StructNode): void {
  const found = lookUpType(c, node.typeName);
  if (found === undefined) {
    undeclared(c, e.id, node.typeName);
    setType(c, e, ERROR);
    return;
  }
  if (found.name !== node.typeName) e.node = { ...node, typeName: found.name };
  c.references.set(e.id, { kind: 'ident', name: found.name, value: undefined });
  const { type, fieldsOf } = constructed(c, e, { name: found.name, declared: found.type });
  setType(c, e, type);
  for (const field of node.fields) checkField(c, field, fieldsOf);
}

/** The type that a constructor returns, and the message type whose fields it sets. */
function constructed(c: Checker, e: Expr, ident: { name: string; declared: Type }): { readonly type: Type; readonly fieldsOf: string } {
  const { declared, name } = ident;
  if (declared.kind === 'error') return { type: ERROR, fieldsOf: name };
  const [type] = declared.parameters;
  if (declared.kind !== 'type' || type === undefined) {
    const called = declaredName(declared);
    issueAt(c, e.id, `'${called}' is not a type${c.environment.celGo < 33 ? '' : suggestion(c, called)}`);
    return { type: ERROR, fieldsOf: name };
  }
  const wellKnown = wellKnownName(type);
  if (wellKnown !== undefined) return { type, fieldsOf: wellKnown };
  if (type.kind === 'struct') return { type, fieldsOf: type.name };
  issueAt(c, e.id, `'${declaredName(type)}' is not a message type`);
  return { type: ERROR, fieldsOf: name };
}

function checkField(c: Checker, field: StructField, fieldsOf: string): void {
  check(c, field.value);
  const wanted = lookUpField(c, field.id, { struct: fieldsOf, field: field.name }) ?? ERROR;
  const given = field.optional ? insideOptional(c, field.value) : getType(c, field.value);
  if (isAssignable(c.substitutions, wanted, given)) return;
  const types = `is '${formatType(wanted)}' but provided type is '${formatType(given)}'`;
  issueAt(c, field.id, `expected type of field '${field.name}' ${types}`);
}

function declaredName(type: Type): string {
  return type.nullable ? `wrapper(${type.name})` : type.name;
}

const wellKnownNames: Partial<Record<Type['kind'], string>> = {
  any: 'google.protobuf.Any',
  bool: 'google.protobuf.BoolValue',
  bytes: 'google.protobuf.BytesValue',
  double: 'google.protobuf.DoubleValue',
  duration: 'google.protobuf.Duration',
  dyn: 'google.protobuf.Value',
  int: 'google.protobuf.Int64Value',
  list: 'google.protobuf.ListValue',
  null: 'google.protobuf.NullValue',
  map: 'google.protobuf.Struct',
  string: 'google.protobuf.StringValue',
  timestamp: 'google.protobuf.Timestamp',
  uint: 'google.protobuf.UInt64Value',
};

/** The well-known message type for a CEL type; undefined for types without one. */
function wellKnownName(type: Type): string | undefined {
  switch (type.kind) {
    case 'any':
    case 'timestamp':
    case 'duration':
    case 'dyn':
    case 'null':
      return wellKnownNames[type.kind];
    case 'list':
      return type.parameters[0]?.kind === 'dyn' ? wellKnownNames.list : undefined;
    case 'map':
      return type.parameters[0]?.kind === 'string' && type.parameters[1]?.kind === 'dyn' ? wellKnownNames.map : undefined;
    default:
      return takes(type, NULL) ? wellKnownNames[type.kind] : undefined;
  }
}
