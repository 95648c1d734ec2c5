import type { ApiServer } from './api-server.js';

/**
 * Layout of the values of a type, used by decoding, defaulting, encoding, patches and managed fields. Built-in kinds take it from the
 * table of Kubernetes types, custom resources from their CRD.
 */
export type Schema = StructSchema | ListSchema | MapSchema | LeafSchema;

/** A Go struct: fields in declaration order, inlined ones in their place. */
export interface StructSchema {
  readonly type: 'struct';
  /** Whose type it is. */
  readonly server: ApiServer;
  /** `core/v1.PodSpec` */
  readonly name: string;
  /** Name of the type in Go's errors: `v1.PodSpec`. */
  readonly goName: string;
  readonly fields: readonly FieldSchema[];
  readonly fieldsByName: ReadonlyMap<string, FieldSchema>;
  readonly mapType?: 'atomic' | undefined;
}

export interface FieldSchema {
  /** The JSON key. */
  readonly name: string;
  /** The Go field's name. */
  readonly goName: string;
  /** Struct that Go names in errors about the field: the outermost one, `Volume` for `hostPath` of the inlined VolumeSource. */
  readonly declaredBy: string;
  /** Go names of the inlined structs around the field, outermost first, as in the paths of errors. */
  readonly embeddedIn?: readonly string[] | undefined;
  /** Table names of the same structs. */
  readonly embeddedTypes?: readonly string[] | undefined;
  /** Type of the field as Go prints it, without pointer, if it does not follow from the schema: `v1.RestartPolicy`. */
  readonly goType?: string | undefined;
  readonly schema: Schema;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly pointer: boolean;
  /** `merge`, `replace`, `retainKeys`, `merge,retainKeys`: strategic merge patch. */
  readonly patchStrategy?: string | undefined;
  readonly patchMergeKey?: string | undefined;
  readonly listType?: 'map' | 'set' | 'atomic' | undefined;
  readonly listMapKeys?: readonly string[] | undefined;
  readonly mapType?: 'atomic' | 'granular' | undefined;
  /** The published schema's default, as plain JSON. */
  readonly default?: unknown;
}

export interface ListSchema {
  readonly type: 'list';
  readonly items: Schema;
  /** The items are Go pointers. */
  readonly pointer: boolean;
}

/** A Go map with string keys. */
export interface MapSchema {
  readonly type: 'map';
  readonly values: Schema;
  readonly pointer: boolean;
}

export type LeafName =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float64'
  | 'bytes'
  | 'quantity'
  | 'intorstring'
  | 'time'
  | 'microtime'
  | 'duration'
  | 'rawextension'
  | 'fieldsv1'
  | 'json'
  | 'any'
  | 'orBool'
  | 'orArray'
  | 'orStringArray';

/** A value without parts; the `or...` leaves (in CRDs) accept another type as well, named by `of`. */
export interface LeafSchema {
  readonly type: 'leaf';
  readonly leaf: LeafName;
  readonly of?: Schema | undefined;
}
