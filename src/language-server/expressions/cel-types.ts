import type { StructDeclaration } from '../../cel/check/type-provider.js';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  STRING,
  structType,
  TIMESTAMP,
  type Type,
} from '../../cel/values/type.js';
import { type FieldType, type LeafKind, type StructType, textOfType } from '../types/field-type.js';

const leaves: Readonly<Record<LeafKind, Type>> = {
  string: STRING,
  boolean: BOOL,
  integer: INT,
  number: DOUBLE,
  time: TIMESTAMP,
  duration: DURATION,
  bytes: BYTES,
  any: DYN,
};

/** CEL types of the types of manifests. Structs are declared when an expression needs them: types may contain themselves. */
export class CelTypes {
  readonly #structs = new Map<string, StructType>();
  readonly #names = new Map<StructType, string>();

  typeOf(type: FieldType): Type {
    if (type.kind === 'list') return listType(this.typeOf(type.items));
    if (type.kind === 'map') return mapType(STRING, this.typeOf(type.values));
    if (type.kind === 'leaf') return leaves[type.leaf];
    // Fields that no schema describes may have any name.
    if (type.isOpen && type.fields().size === 0) return DYN;
    const name = this.#names.get(type) ?? `${textOfType(type)}#${this.#names.size}`;
    this.#names.set(type, name);
    this.#structs.set(name, type);
    return structType(name);
  }

  /** Returns the struct of a type; undefined for types of the language. */
  structOf(type: Type): StructType | undefined {
    return this.#structs.get(type.name);
  }

  /** Returns the declaration of a struct by the name of its type. */
  declarationOf(name: string): StructDeclaration | undefined {
    const struct = this.#structs.get(name);
    if (struct === undefined) return undefined;
    const get = (field: string): Type | undefined => {
      const found = struct.fields().get(field);
      return found === undefined ? (struct.isOpen ? DYN : undefined) : this.typeOf(found.type);
    };
    return { type: structType(name), fields: { get } };
  }
}
