import { writeValue } from '../../go/json/write.js';
import { printGo } from '../../go/print.js';
import { TimeError } from '../../go/quote-for-time.js';
import { parseTime } from '../../go/time.js';
import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import { findResults } from '../../kubernetes/json-path/find.js';
import { JsonPathError, type NodeList } from '../../kubernetes/json-path/parse.js';
import { humanDuration, nameCell } from './cell-text.js';
import type { Column } from './columns.js';

/** Returns the cells of a custom resource, by the columns of its definition. Source: apiextensions-apiserver pkg/registry/customresource/tableconvertor ConvertToTable. */
export function customCells(object: ValueMap, columns: readonly Column[], now: Date): Value[] {
  return columns.map(({ path, type }) => {
    if (path === undefined) return nameCell(object);
    const value = firstResult(object, path);
    if (value === undefined) return null;
    return type === 'string' ? textCell(value) : cellForJsonValue(type, value, now);
  });
}

function firstResult(object: ValueMap, path: NodeList): Value | undefined {
  try {
    return findResults(object, path)[0];
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** Source: client-go util/jsonpath PrintResults. */
function textCell(value: Value): string {
  if (value === null) return '<no value>';
  return isMap(value) || isList(value) ? writeValue(value, 'sorted') : printGo(value);
}

/** Source: cellForJSONValue. */
function cellForJsonValue(type: string, value: Value, now: Date): Value {
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? int64Of(value) : typeof value === 'bigint' ? value : null;
    case 'number':
      return typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateCell(value, now) : null;
    default:
      return null;
  }
}

/** On amd64, numbers beyond int64 become the smallest one. */
function int64Of(float: number): bigint {
  return Math.abs(float) < 2 ** 63 ? BigInt(Math.trunc(float)) : -(2n ** 63n);
}

function dateCell(text: string, now: Date): string {
  if (text === '' || text === 'null') return '<unknown>';
  try {
    return humanDuration(now.getTime() - parseTime(text).seconds * 1000);
  } catch (error) {
    if (error instanceof TimeError) return '<invalid>';
    throw error;
  }
}
