import { JsonTypeError, readUnstructured } from '../../encoding/unstructured.js';
import { JsonSyntaxError } from '../../go/json/syntax-error.js';
import { goTypeOf } from '../../go/print.js';
import { copyOf, isMap, isRawJson, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type FieldError, invalidValue, printFieldErrors, tooLong } from '../../kubernetes/field-error.js';
import { apiVersionOf, type GroupVersion, parseApiVersion } from '../../kubernetes/group-version.js';
import { labelKeyProblems, labelValueProblems } from '../../kubernetes/name-rules.js';
import { ConversionError } from './conversion-error.js';

/** A converted object and its error texts, which differ between single objects and lists. */
export interface Wording {
  /** `conversion webhook for GVK returned` */
  readonly prefix: string;
  /** Position among the objects sent; undefined for a single object that is not part of a list. */
  readonly index: number | undefined;
}

/**
 * Returns the converted object after validating it against the original; only labels and annotations of its metadata are used. Throws
 * ConversionError. Source: apiextensions-apiserver conversion/webhook_converter.go Convert.
 */
export function checkedObject(server: ApiServer, answered: Value, original: ValueMap, target: GroupVersion, wording: Wording): ValueMap {
  const { prefix, index } = wording;
  const invalidInList = index === undefined ? undefined : `${prefix} returned invalid converted object at index ${index}`;
  const converted = unstructured(answered, invalidInList);
  const atIndex = invalidInList ?? `${prefix} returned invalid object at index 0`;
  const found = parseApiVersion(stringAt(converted, 'apiVersion')) ?? { group: '', version: '' };
  if (found.group !== target.group || found.version !== target.version) {
    throw invalid(`${atIndex}: invalid groupVersion (expected ${apiVersionOf(target)}, received ${apiVersionOf(found)})`);
  }
  const [expected, received] = [stringAt(original, 'kind'), stringAt(converted, 'kind')];
  if (expected !== received) throw invalid(`${atIndex}: invalid kind (expected ${expected}, received ${received})`);
  const changed = changedIdentity(original, converted);
  if (changed !== undefined) throw invalid(`${invalidInList ?? `${prefix} returned invalid object`}: ${changed}`);
  const why = restoreMetadata(server, original, converted);
  const metadataWords = index === undefined ? 'returned invalid metadata' : `returned invalid metadata in object at index ${index}`;
  if (why !== undefined) throw invalid(`${prefix} ${metadataWords}: ${why}`);
  return converted;
}

function invalid(message: string): ConversionError {
  return new ConversionError(message, 'review');
}

/** Source: apimachinery unstructured.UnmarshalJSON. */
function unstructured(answered: Value, prefix: string | undefined): ValueMap {
  const refuse = (why: string): ConversionError => invalid(prefix === undefined ? why : `${prefix}: ${why}`);
  const text = isRawJson(answered) ? answered.rawJson : '';
  if (text === '' || text === 'null') throw refuse('unexpected end of JSON input');
  const value = read(text, refuse);
  if (!isMap(value)) {
    const what = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'number';
    throw refuse(`json: cannot unmarshal ${what} into Go value of type map[string]interface {}`);
  }
  // An unreadable apiVersion makes the kind unreadable too.
  const hasKind = stringAt(value, 'kind') !== '' && parseApiVersion(stringAt(value, 'apiVersion')) !== undefined;
  if (!hasKind) throw refuse(`Object 'Kind' is missing in '${text}'`);
  return value;
}

function read(text: string, refuse: (why: string) => ConversionError): Value {
  try {
    return readUnstructured(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonTypeError) throw refuse(error.message);
    throw error;
  }
}

/** Source: webhook_converter.go validateConvertedObject. */
function changedIdentity(original: ValueMap, converted: ValueMap): string | undefined {
  for (const [name, word] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [before, after] = [stringAt(original, 'metadata', name), stringAt(converted, 'metadata', name)];
    if (before !== after) return `must have the same ${word}: ${before} != ${after}`;
  }
  return undefined;
}

/** Restores the original's metadata, with the labels and annotations of the response. Source: webhook_converter.go restoreObjectMeta. */
function restoreMetadata(server: ApiServer, original: ValueMap, converted: ValueMap): string | undefined {
  const answered = converted.get('metadata');
  if (answered === undefined) return 'missing metadata in converted object';
  if (!isMap(answered)) return `invalid metadata of type ${goTypeOf(answered)} in converted object`;
  const restored = copyOf(original.get('metadata') ?? new Map());
  converted.set('metadata', restored);
  if (!isMap(restored)) return `invalid metadata of type ${goTypeOf(restored)} in input object`;
  for (const field of ['labels', 'annotations'] as const) {
    const why = restoreTexts(server, field, answered.get(field), restored);
    if (why !== undefined) return why;
  }
  return undefined;
}

function restoreTexts(
  server: ApiServer,
  field: 'labels' | 'annotations',
  answered: Value | undefined,
  metadata: ValueMap,
): string | undefined {
  if (answered === undefined || answered === null) {
    metadata.delete(field);
    return undefined;
  }
  if (!isMap(answered)) return `invalid metadata.${field} of type ${goTypeOf(answered)} in converted object`;
  const before = metadata.get(field) ?? null;
  if (before !== null && !isMap(before)) return `invalid metadata.${field} of type ${goTypeOf(before)} in original object`;
  for (const [key, value] of answered) {
    if (typeof value !== 'string') return `metadata.${field}[${key}] must be a string, but is ${goTypeOf(value)} in converted object`;
  }
  const isChanged = (before?.size ?? 0) !== answered.size || [...answered].some(([key, value]) => before?.get(key) !== value);
  const errors = isChanged ? textErrors(server, field, answered) : [];
  if (errors.length > 0) return printFieldErrors(errors);
  metadata.set(field, answered);
  return undefined;
}

const annotationsLimit = 262_144;

function textErrors(server: ApiServer, field: 'labels' | 'annotations', texts: ValueMap): FieldError[] {
  const entries = [...texts].map(([key, value]) => [key, String(value)] as const);
  if (field === 'labels') {
    return entries.flatMap(([key, value]) => [
      ...labelKeyProblems(server, key).map(problem => invalidValue('metadata.labels', key, problem)),
      ...labelValueProblems(server, value).map(problem => invalidValue('metadata.labels', value, problem)),
    ]);
  }
  // The path is singular only here.
  const path = 'metadata.annotation';
  const errors = entries.flatMap(([key]) => labelKeyProblems(server, key.toLowerCase()).map(problem => invalidValue(path, key, problem)));
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return size > annotationsLimit ? [...errors, tooLong(path, annotationsLimit)] : errors;
}
