/** Type of a value in a manifest, for completion, hover and the types of expressions. */
export type FieldType = StructType | ListType | MapType | LeafType;

export interface StructType {
  readonly kind: 'struct';
  /** `core/v1.PodSpec`, or the path in a definition's schema. */
  readonly name: string;
  /** Read on first use: types may contain themselves. */
  readonly fields: () => ReadonlyMap<string, TypedField>;
  /** Other fields are kept as they are. */
  readonly isOpen: boolean;
}

export interface TypedField {
  readonly type: FieldType;
  readonly description?: string | undefined;
  readonly isRequired?: boolean | undefined;
  readonly default?: unknown;
}

export interface ListType {
  readonly kind: 'list';
  readonly items: FieldType;
}

export interface MapType {
  readonly kind: 'map';
  readonly values: FieldType;
}

export type LeafKind = 'string' | 'boolean' | 'integer' | 'number' | 'time' | 'duration' | 'bytes' | 'any';

export interface LeafType {
  readonly kind: 'leaf';
  readonly leaf: LeafKind;
  /** As the field's documentation names it: `Quantity`, `IntOrString`. */
  readonly text: string;
  readonly values?: readonly string[] | undefined;
}

/** Returns the type as text: `[]Container`, `map[string]string`, `integer`. */
export function textOfType(type: FieldType): string {
  if (type.kind === 'list') return `[]${textOfType(type.items)}`;
  if (type.kind === 'map') return `map[string]${textOfType(type.values)}`;
  if (type.kind === 'leaf') return type.text;
  return type.name.slice(type.name.lastIndexOf('.') + 1) || 'object';
}

/** Returns the type of the value at a path; undefined if the type does not have it. */
export function typeAt(root: FieldType, path: readonly (string | number)[]): FieldType | undefined {
  let type: FieldType | undefined = root;
  for (const step of path) {
    if (type.kind === 'list' && typeof step === 'number') type = type.items;
    else if (type.kind === 'map') type = type.values;
    else type = type.kind === 'struct' ? type.fields().get(String(step))?.type : undefined;
    if (type === undefined) return undefined;
  }
  return type;
}
