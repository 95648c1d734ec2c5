import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { stringAt, type Value } from '../../kubernetes/value.js';
import type { TableOptions } from './table.js';

/** The cells of a row, and the conditions of the row as JSON. */
export interface Row {
  readonly cells: readonly Value[];
  readonly conditions: string | undefined;
}

export function cellsOf({ value }: ApiObject, _options: TableOptions): Row {
  return { cells: [stringAt(value, 'metadata', 'name')], conditions: undefined };
}
