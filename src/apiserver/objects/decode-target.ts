import type { JsonNode } from '../../go/json/node.js';
import type { Value } from '../../go/value.js';
import type { Schema } from '../../kubernetes/schema.js';
import type { Reading } from './typed-reading.js';

/** What a value is read into. */
export interface Target<S extends Schema = Schema> {
  readonly schema: S;
  readonly pointer: boolean;
  readonly goType?: string | undefined;
}

/** The reading, and what an earlier member of the same name left behind. */
export interface ReadContext {
  readonly reading: Reading;
  readonly previous: Value | undefined;
}

/** Reads a node into a target; undefined for Go's zero value. */
export type ReadValue = (target: Target, node: JsonNode, context: ReadContext) => Value | undefined;
