import type { JsonNode } from '../../go/json/node.js';
import type { Value } from '../../go/value.js';
import type { Schema } from '../../kubernetes/schema.js';
import type { TypedReading } from './typed-reading.js';

/** Target of a value that is read. */
export interface DecodeTarget<S extends Schema = Schema> {
  readonly schema: S;
  readonly pointer: boolean;
  readonly goType?: string | undefined;
}

/** Reading state, and the value of an earlier member of the same name. */
export interface ReadContext {
  readonly reading: TypedReading;
  readonly previous: Value | undefined;
}

/** Reads a node into a target; undefined for Go's zero value. */
export type ReadValue = (target: DecodeTarget, node: JsonNode, context: ReadContext) => Value | undefined;
