import { quote } from '../../../go/quote.js';
import { isList, isMap, type Value } from '../../../go/value.js';
import { typeInvalid } from '../../../kubernetes/field-error.js';
import { isJsonInteger } from './number-rules.js';
import { type CustomSchemaError, errorAt } from './schema-result.js';

/** Types that a schema allows. */
export interface TypeRule {
  readonly types: readonly string[];
  /** Empty when no format applies. */
  readonly format: string;
  readonly nullable: boolean;
}

/** Returns the error for a value of the wrong type; undefined when it is valid. Source: kube-openapi validate/type.go. */
export function typeError(value: Value, { types, format, nullable }: TypeRule, path: string): CustomSchemaError | undefined {
  if (types.length === 0 && format === '') return undefined;
  if (value === null) {
    return types.length > 0 && !types.includes('null') && !nullable ? wrongSchemaType(path, types.join(','), 'null') : undefined;
  }
  const [found, foundFormat] = typeOf(value);
  const isWholeFloat = typeof value === 'number' && isJsonInteger(value) && types.includes('integer');
  const isIntegerAsNumber = typeof value === 'bigint' && types.includes('number');
  const fits = types.includes(found) || isWholeFloat || isIntegerAsNumber;
  const isTextOrList = typeof value === 'string' || isList(value);
  if (!isTextOrList && format !== '' && !fits && foundFormat !== format) return wrongSchemaType(path, format, foundFormat);
  if (isTextOrList && format !== '' && !types.includes('number') && !types.includes('integer')) return undefined;
  return fits ? undefined : wrongSchemaType(path, types.join(','), found);
}

/** Returns the error for a value of the wrong type or format; `found` is a type, or the text with an invalid format. */
export function wrongSchemaType(path: string, wanted: string, found: string): CustomSchemaError {
  const message = `${path} in body must be of type ${wanted}: ${quote(found)}`;
  return errorAt(path, message, field => typeInvalid(field, found, message));
}

function typeOf(value: Exclude<Value, null>): readonly [string, string] {
  if (isMap(value)) return ['object', ''];
  if (isList(value)) return ['array', ''];
  if (typeof value === 'bigint') return ['integer', 'int64'];
  if (typeof value === 'number') return ['number', 'float64'];
  return [typeof value === 'boolean' ? 'boolean' : 'string', ''];
}
