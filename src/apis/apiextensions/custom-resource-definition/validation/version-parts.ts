import { structural } from '../../../../apiserver/objects/structural-schema.js';
import { ruleFieldPath } from '../../../../apiserver/registry/custom/rules/rule-field-path.js';
import { isPrintable } from '../../../../go/printable.js';
import { isMap, mapAt, stringAt, type Value, type ValueMap } from '../../../../go/value.js';
import { duplicate, type FieldError, invalidValue, required, tooMany } from '../../../../kubernetes/field-error.js';
import { structureFault } from './structural-form.js';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** Validates printer columns. Source: apiextensions-apiserver validation.go ValidateCustomResourceColumnDefinition. */
export function columnErrors(columns: readonly Value[], path: string): FieldError[] {
  return columns.flatMap((column, i) => {
    const at = `${path}[${i}]`;
    const [name, type, format, jsonPath] = ['name', 'type', 'format', 'jsonPath'].map(member => stringAt(column, member));
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${at}.name`, ''));
    const typeWords = `must be one of ${columnTypes.join(',')}`;
    if (type === undefined || type === '') errors.push(required(`${at}.type`, typeWords));
    else if (!columnTypes.includes(type)) errors.push(invalidValue(`${at}.type`, type, typeWords));
    if (format !== undefined && format !== '' && !columnFormats.includes(format))
      errors.push(invalidValue(`${at}.format`, format, `must be one of ${columnFormats.join(',')}`));
    if (jsonPath === undefined || jsonPath === '') errors.push(required(`${at}.JSONPath`, ''));
    else errors.push(...pathErrors(jsonPath, `${at}.JSONPath`));
    return errors;
  });
}

const mostSelectable = 8;

/** Selectable fields, and the schema that has them. */
interface SelectableFields {
  readonly fields: readonly Value[];
  readonly schema: ValueMap | undefined;
  /** Of the version, or of the spec. */
  readonly path: string;
}

/**
 * Validates the selectable fields. Throws AbortedConnection for those of no schema and of one without structure, which make the API server panic. Source: validation.go
 * validateCustomResourceDefinitionVersion, ValidateCustomResourceSelectableFields.
 */
export function selectableFieldErrors({ fields, schema, path }: SelectableFields): FieldError[] {
  if (fields.length === 0) return [];
  const fault = structureFault(schema);
  const shape = fault === undefined && schema !== undefined ? structural(schema) : undefined;
  const seen = new Set<string>();
  const errors = fields.flatMap((field, i): FieldError[] => {
    const at = `${path}.selectableFields[${i}].jsonPath`;
    const jsonPath = stringAt(field, 'jsonPath');
    if (jsonPath === '') return [required(at, '')];
    const found = ruleFieldPath(jsonPath, shape, { brackets: false });
    if ('error' in found) return [invalidValue(at, jsonPath, `is an invalid path: ${found.error}`)];
    const own: FieldError[] = [];
    if (/^metadata(?:[.[]|$)/.test(found.field)) own.push(invalidValue(at, jsonPath, 'must not point to fields in metadata'));
    if (!['string', 'boolean', 'integer'].includes(found.schema?.type ?? '')) {
      const message = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      own.push(invalidValue(at, jsonPath, message));
    }
    if (seen.has(found.field)) own.push(duplicate(at, jsonPath));
    seen.add(found.field);
    return own;
  });
  if (fault !== undefined) errors.unshift(invalidValue(`${path}.schema.openAPIV3Schema`, '', fault));
  return seen.size > mostSelectable ? [...errors, tooMany(`${path}.selectableFields`, seen.size, mostSelectable)] : errors;
}

/** Validates the paths of the scale subresource. Source: validation.go ValidateCustomResourceDefinitionSubresources. */
export function subresourceErrors(subresources: Value | undefined, path: string): FieldError[] {
  const scale = mapAt(subresources, 'scale');
  if (scale === undefined) return [];
  const at = `${path}.scale`;
  const selector = stringAt(scale, 'labelSelectorPath');
  return [
    ...replicasPathErrors(stringAt(scale, 'specReplicasPath'), `${at}.specReplicasPath`, '.spec'),
    ...replicasPathErrors(stringAt(scale, 'statusReplicasPath'), `${at}.statusReplicasPath`, '.status'),
    ...(selector === '' ? [] : selectorPathErrors(selector, `${at}.labelSelectorPath`)),
  ];
}

function replicasPathErrors(text: string, field: string, below: string): FieldError[] {
  if (text === '') return [required(field, '')];
  const wrong = pathErrors(text, field);
  if (wrong.length > 0 || text.startsWith(`${below}.`)) return wrong;
  return [invalidValue(field, text, `should be a json path under ${below}`)];
}

function selectorPathErrors(text: string, field: string): FieldError[] {
  const wrong = pathErrors(text, field);
  if (wrong.length > 0 || text.startsWith('.spec.') || text.startsWith('.status.')) return wrong;
  return [invalidValue(field, text, 'should be a json path under either .spec or .status')];
}

function pathErrors(text: string, field: string): FieldError[] {
  return text.startsWith('.') ? [] : [invalidValue(field, text, 'must be a simple json path starting with .')];
}

/** Source: validation.go validateDeprecationWarning. */
export function deprecationErrors(version: Value, path: string): FieldError[] {
  const warning = isMap(version) ? version.get('deprecationWarning') : undefined;
  if (typeof warning !== 'string') return [];
  const refuse = (message: string): FieldError => invalidValue(`${path}.deprecationWarning`, warning, message);
  if (isMap(version) && version.get('deprecated') !== true) return [refuse('can only be set for deprecated versions')];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(warning) > 256) errors.push(refuse('must be <= 256 characters long'));
  if (warning === '') errors.push(refuse('must not be an empty string'));
  const characters = [...warning];
  const odd = characters.findIndex(character => !isPrintable(character));
  if (odd >= 0) {
    const index = Buffer.byteLength(characters.slice(0, odd).join(''));
    errors.push(refuse(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`));
  }
  return errors;
}
