import type { LeafName } from '../../kubernetes/schema.js';

/** What a generator knows about the values of a type. Built-in types and structural schemas have the same form. */
export type SchemaShape = ObjectShape | MapShape | ListShape | LeafShape;

export interface ObjectShape {
  readonly type: 'object';
  /** Names the type: `core/v1.PodSpec`, or the path in a definition. What is learned about its fields is kept by it. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, SchemaShape>;
  /** Names of fields that a definition requires. */
  readonly required: readonly string[];
  /** Accepts other members too. */
  readonly isOpen: boolean;
}

export interface MapShape {
  readonly type: 'map';
  readonly values: SchemaShape;
}

export interface ListShape {
  readonly type: 'list';
  readonly items: SchemaShape;
  /** Fields that identify an item; for a set: the item itself. */
  readonly keys: readonly string[];
  readonly isSet: boolean;
  readonly minItems: number;
  readonly maxItems: number;
}

export interface LeafShape {
  readonly type: 'leaf';
  readonly leaf: LeafName;
  /** Texts of an enumeration. */
  readonly choices: readonly string[];
  readonly format: string | undefined;
  readonly pattern: string | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly minLength: number;
  readonly maxLength: number | undefined;
  readonly isNullable: boolean;
}

/** Returns the shape of a leaf without limits. */
export function leafShape(leaf: LeafName, limits: Partial<LeafShape> = {}): LeafShape {
  return {
    type: 'leaf',
    leaf,
    choices: [],
    format: undefined,
    pattern: undefined,
    min: undefined,
    max: undefined,
    minLength: 0,
    maxLength: undefined,
    isNullable: false,
    ...limits,
  };
}
