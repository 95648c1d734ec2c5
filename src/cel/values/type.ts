/** A CEL type. Source: cel-go common/types/types.go. */
export interface Type {
  readonly kind: TypeKind;
  /** The name at run time: `int`, `list`, `google.protobuf.Timestamp`, `kubernetes.URL`. */
  readonly name: string;
  readonly parameters: readonly Type[];
  /** Traits of the type's values, as bits. */
  readonly traits: number;
  /** A wrapper type: null is also a value. */
  readonly nullable: boolean;
}

export type TypeKind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'typeParam'
  | 'uint';

/** Traits of values, as bits. */
export const traits = {
  adder: 1,
  comparer: 2,
  container: 4,
  divider: 8,
  indexer: 16,
  iterable: 32,
  matcher: 64,
  modder: 128,
  multiplier: 256,
  negator: 512,
  receiver: 1024,
  sizer: 2048,
  subtractor: 4096,
} as const;

const { adder, comparer, container, divider, indexer, iterable, matcher, modder, multiplier, negator, receiver, sizer, subtractor } =
  traits;

/** Traits of lists. */
export const listTraits = adder | container | indexer | iterable | sizer;

export const ANY = simple('any', 'google.protobuf.Any', indexer);
export const BOOL = simple('bool', 'bool', comparer | negator);
export const BYTES = simple('bytes', 'bytes', adder | comparer | sizer);
export const DOUBLE = simple('double', 'double', adder | comparer | divider | multiplier | negator | subtractor);
export const DURATION = simple('duration', 'google.protobuf.Duration', adder | comparer | negator | receiver | subtractor);
export const DYN = simple('dyn', 'dyn', 0);
export const ERROR = simple('error', 'error', 0);
export const INT = simple('int', 'int', adder | comparer | divider | modder | multiplier | negator | subtractor);
export const NULL = simple('null', 'null_type', 0);
export const STRING = simple('string', 'string', adder | comparer | matcher | receiver | sizer);
export const TIMESTAMP = simple('timestamp', 'google.protobuf.Timestamp', adder | comparer | receiver | subtractor);
export const TYPE = simple('type', 'type', 0);
export const UINT = simple('uint', 'uint', adder | comparer | divider | modder | multiplier | subtractor);
export const LIST = listType(DYN);
export const MAP = mapType(DYN, DYN);
export const OPTIONAL = opaqueType('optional_type');

export function listType(element: Type): Type {
  return { kind: 'list', name: 'list', parameters: [element], traits: listTraits, nullable: false };
}

export function mapType(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', parameters: [key, value], traits: container | indexer | iterable | sizer, nullable: false };
}

export function optionalType(value: Type): Type {
  return opaqueType('optional_type', value);
}

export function opaqueType(name: string, ...parameters: readonly Type[]): Type {
  return { kind: 'opaque', name, parameters, traits: 0, nullable: false };
}

/** A type with fields. */
export function structType(name: string, canDo: number = indexer): Type {
  return simple('struct', name, canDo);
}

/** A type variable of a function's signature. */
export function typeParam(name: string): Type {
  return simple('typeParam', name, 0);
}

/** The type of a type: `type(int)`. */
export function typeOfType(parameter: Type): Type {
  return { kind: 'type', name: 'type', parameters: [parameter], traits: 0, nullable: false };
}

/** `google.protobuf.Int64Value` and similar: the type or null. */
export function nullableType(wrapped: Type): Type {
  return { ...wrapped, nullable: true };
}

/** A copy with other parameters. */
export function withParameters(type: Type, parameters: readonly Type[]): Type {
  return { ...type, parameters };
}

/** Reports whether two types are the same, by name and parameters. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  return a.kind === b.kind && a.name === b.name && sameParameters(a, b, sameType);
}

/** Like sameType, but all type variables are alike. */
export function equivalentType(a: Type, b: Type): boolean {
  if (a === b) return true;
  return a.kind === b.kind && (a.kind === 'typeParam' || a.name === b.name) && sameParameters(a, b, equivalentType);
}

/** Formats a type for the checker's messages: `list(int)`, `timestamp`, `null`, `wrapper(int)`. Source: cel-go checker/format.go. */
export function formatType(type: Type): string {
  const short = shortNames[type.kind];
  if (short !== undefined) return short;
  if (type.kind === 'typeParam') return type.name;
  return type.parameters.length === 0 ? declaredName(type) : `${type.name}(${type.parameters.map(formatType).join(', ')})`;
}

/** Formats a type as Go does: `google.protobuf.Timestamp`, `null_type`, `<A>`. Source: cel-go Type.String. */
export function typeText(type: Type): string {
  if (type.kind === 'typeParam') return `<${type.name}>`;
  const name = declaredName(type);
  return type.parameters.length === 0 ? name : `${name}(${type.parameters.map(typeText).join(', ')})`;
}

/** Reports whether this type is dyn or any. */
export function isDyn(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

function simple(kind: TypeKind, name: string, canDo: number): Type {
  return { kind, name, parameters: [], traits: canDo, nullable: false };
}

function sameParameters(a: Type, b: Type, same: (a: Type, b: Type) => boolean): boolean {
  return (
    a.parameters.length === b.parameters.length &&
    a.parameters.every((p, i) => {
      const q = b.parameters[i];
      return q !== undefined && same(p, q);
    })
  );
}

const shortNames: Partial<Record<TypeKind, string>> = {
  any: 'any',
  duration: 'duration',
  error: '!error!',
  null: 'null',
  timestamp: 'timestamp',
};

function declaredName(type: Type): string {
  return type.nullable ? `wrapper(${type.name})` : type.name;
}
