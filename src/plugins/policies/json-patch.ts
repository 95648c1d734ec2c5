import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { DecodeError } from '../../apiserver/objects/codec.js';
import { isCustomCodec } from '../../apiserver/objects/custom-codec.js';
import { decodePatched } from '../../apiserver/objects/decode-patched.js';
import { interpretDocument } from '../../apiserver/objects/interpret-document.js';
import { applyJsonPatch, decodeJsonPatch, PatchDecodeError, PatchError } from '../../apiserver/patches/json-patch.js';
import { jsonValue } from '../../cel/library/well-known.js';
import { typeNameProblems } from '../../cel/values/check-type-names.js';
import { adapt, foundItemsOf } from '../../cel/values/found.js';
import { mapEntries } from '../../cel/values/maps.js';
import { nativeObject } from '../../cel/values/native-value.js';
import { objectFieldsOf, type PatchOperation, patchOperationOf } from '../../cel/values/patch-values.js';
import { type CelValue, isCelListValue, isCelMapValue as isCelMap, isError } from '../../cel/values/value.js';
import { writeValue } from '../../go/json/write.js';
import { quote } from '../../go/quote.js';
import { isMap, isRawJson, isList as isValueList, type Value } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { AbortedConnection } from '../../kubernetes/status.js';
import { internalError } from '../../kubernetes/status-errors.js';
import { MutationError } from './mutation-error.js';

/**
 * Applies a list of `JSONPatch{...}` to the object and decodes the result strictly; undefined when a test of the patch fails: nothing is
 * changed then. Throws MutationError, and the 500 that ignores the failure policy. Source: apiserver
 * admission/plugin/policy/mutating/patch/json_patch.go.
 */
export function applyOperations(object: ApiObject, patch: CelValue): ApiObject | undefined {
  const after = patched(object.codec.encode(object.value), patchTextOfPolicy(object.codec.server, patch));
  return after === undefined ? undefined : strictlyRead(after, object);
}

/** Returns the JSON text of a list of `JSONPatch{...}`. Throws MutationError, and AbortedConnection where the API server panics. */
export function patchTextOfPolicy(server: ApiServer, patch: CelValue): string {
  if (!isCelListValue(patch)) throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array');
  return `[${foundItemsOf(patch)
    .map(item => operationText(server, item))
    .join(',')}]`;
}

function patched(before: string, text: string): string | undefined {
  try {
    return applyJsonPatch(before, decodeJsonPatch(text));
  } catch (error) {
    if (!(error instanceof PatchError || error instanceof PatchDecodeError)) throw error;
    if (error.message.startsWith('testing value ') && error.message.endsWith(': test failed')) return undefined;
    throw new MutationError(`JSON Patch: ${error.message}`);
  }
}

/** Decodes the text; only built-in kinds are decoded strictly. */
function strictlyRead(text: string, object: ApiObject): ApiObject {
  try {
    // The serializer reads the kind before anything else.
    if (isCustomCodec(object.codec)) interpretDocument(text);
    const read = decodePatched(text, object);
    if (isCustomCodec(read.codec)) return read;
    const { strictErrors } = read.codec.decode(text);
    if (strictErrors.length > 0) throw internalError(`strict decoding error: ${strictErrors.join(', ')}`);
    return read;
  } catch (error) {
    if (error instanceof DecodeError) throw internalError(error.message);
    throw error;
  }
}

function operationText(server: ApiServer, item: CelValue): string {
  const operation = patchOperationOf(item);
  if (operation === undefined) throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
  const { op, path, from, value } = operation;
  const members = [`"op":${quote(op)}`, `"path":${quote(path)}`];
  if (from !== '') members.push(`"from":${quote(from)}`);
  if (value !== undefined) members.push(`"value":${valueText(server, value)}`);
  return `{${members.join(',')}}`;
}

function valueText(server: ApiServer, value: NonNullable<PatchOperation['value']>): string {
  if (objectFieldsOf(value) !== undefined) return objectText(server, value);
  if (holdsObject(value)) {
    if (server.since('v1.37')) return partsText(server, value);
    throw new AbortedConnection('a list or map with Object{} in it cannot be converted to JSON');
  }
  if (patchOperationOf(value) !== undefined) throw notJson('cannot convert to native type: *structpb.Value');
  if (typeof value === 'object' && value.kind === 'type') throw notJson("type conversion not supported for 'type'");
  if (typeof value === 'object' && value.kind === 'extension')
    throw notJson(`type conversion error from '${value.goType.replace(/^.*\./, '')}' to '*structpb.Value'`);
  const json = jsonValue(value);
  if (isError(json)) throw notJson(json.message);
  return writeValue(dataOf(json), 'sorted');
}

/** Returns the JSON text of a list or map with objects in it, which API servers convert since v1.37. */
function partsText(server: ApiServer, value: CelValue): string {
  if (isCelListValue(value))
    return `[${foundItemsOf(value)
      .map(item => valueText(server, item))
      .join(',')}]`;
  if (!isCelMap(value)) throw notJson('cannot convert to native type: *structpb.Value');
  const entries = mapEntries(value).map(([key, entry]) => `${quote(String(key))}:${valueText(server, adapt(entry))}`);
  return `{${entries.join(',')}}`;
}

function notJson(message: string): MutationError {
  return new MutationError(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${message}`);
}

/** Returns the JSON text of a CEL value; an object becomes a message of its own kind, which accepts other values than JSON does. */
function objectText(server: ApiServer, value: CelValue): string {
  const problems = typeNameProblems(value);
  if (problems.length > 0) throw new MutationError(`type mismatch: ${problems.join('\n')}`);
  const native = nativeObject(server, value);
  if (!(native instanceof Map)) throw notJson(native.message);
  return writeValue(asNumbers(native), 'sorted');
}

/** Converts numbers to doubles, as Go does. */
function asNumbers(value: Value): Value {
  if (typeof value === 'bigint') return Number(value);
  if (isValueList(value)) return value.map(asNumbers);
  if (isMap(value)) return new Map([...value].map(([key, member]) => [key, asNumbers(member)]));
  if (isRawJson(value) && value.goType !== undefined) throw notJson(`proto: invalid type: ${value.goType}`);
  return value;
}

/** Reports whether a value has an object inside a list or map literal, on which API servers panic up to v1.36. */
function holdsObject(value: CelValue): boolean {
  if (objectFieldsOf(value) !== undefined || patchOperationOf(value) !== undefined) return true;
  if (isCelListValue(value)) return foundItemsOf(value).some(holdsObject);
  return isCelMap(value) && value.entries.keys === 'values' && mapEntries(value).some(([, entry]) => holdsObject(adapt(entry)));
}

function dataOf(value: CelValue): Value {
  if (typeof value !== 'object') return value;
  if (isCelListValue(value)) return foundItemsOf(value).map(dataOf);
  if (isCelMap(value)) return new Map(mapEntries(value).map(([key, entry]) => [String(key), dataOf(adapt(entry))]));
  return null;
}
