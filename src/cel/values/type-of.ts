import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  ERROR,
  INT,
  LIST,
  MAP,
  NULL,
  OPTIONAL,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  traits,
  UINT,
} from './type.js';
import type { CelValue } from './value.js';

/** A value's type at run time: all lists have one type, and all maps. */
export function celTypeOf(value: CelValue): Type {
  switch (typeof value) {
    case 'boolean':
      return BOOL;
    case 'bigint':
      return INT;
    case 'number':
      return DOUBLE;
    case 'string':
      return STRING;
    default:
      if (value.kind === 'map') return value.unescapes === 'always' ? CLAIMS : MAP;
      return value.kind === 'extension' ? value.type : byKind[value.kind];
  }
}

/** Reports whether the value has a trait. */
export function hasTrait(value: CelValue, trait: number): boolean {
  return (celTypeOf(value).traits & trait) === trait;
}

/** Source: apiserver pkg/cel/lazy, as the oidc authenticator uses it. */
const CLAIMS: Type = {
  kind: 'struct',
  name: 'kubernetes.claims',
  parameters: [],
  traits: traits.indexer | traits.iterable,
  nullable: false,
};

const byKind = {
  null: NULL,
  uint: UINT,
  bytes: BYTES,
  list: LIST,
  timestamp: TIMESTAMP,
  duration: DURATION,
  type: TYPE,
  optional: OPTIONAL,
  error: ERROR,
} as const;
