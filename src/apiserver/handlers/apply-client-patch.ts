import { duplicateFields } from '../../encoding/duplicate-fields.js';
import { type JsonNode, jsonKind } from '../../go/json/node.js';
import { JsonSyntaxError, readJson } from '../../go/json/reader.js';
import { writeValue } from '../../go/json/write.js';
import { printGo } from '../../go/print.js';
import { copyOf, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { invalidValue } from '../../kubernetes/field-error.js';
import { PlainError, type StatusError } from '../../kubernetes/status.js';
import { badRequest, failure, invalid, requestEntityTooLarge, unknownError } from '../../kubernetes/status-errors.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import type { FieldValidation } from '../call/request-options.js';
import type { ApiObject } from '../objects/api-object.js';
import { type Decoded, DecodeError } from '../objects/codec.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { decodeClientPatched } from '../objects/decode-client-patched.js';
import { fromUnstructured } from '../patches/from-unstructured.js';
import { applyJsonPatch, decodeJsonPatch } from '../patches/json-patch.js';
import { applyMergePatch } from '../patches/merge-patch.js';
import { PatchDecodeError, PatchError } from '../patches/patch-error.js';
import { decodeStrategicPatch, strategicMerge } from '../patches/strategic-merge.js';

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

/** A client's patch as received. */
export interface ClientPatch {
  readonly type: Exclude<PatchType, 'apply'>;
  readonly text: string;
  readonly validation: FieldValidation;
}

export interface PatchedObject {
  readonly object: ApiObject;
  readonly warnings: readonly string[];
}

/** Max operations of a client's JSON patch. */
const operationLimit = 10_000;

/**
 * Applies a client's patch to the stored object and decodes the result, with defaults. Throws the API server's answer. Source: apiserver
 * handlers/patch.go.
 */
export function applyClientPatch(patch: ClientPatch, old: ApiObject): PatchedObject {
  return patch.type === 'strategic' ? strategic(patch, old) : textual(patch, old);
}

/** Throws a 400 for a patch that is not JSON, since v1.37 before the object is read. Source: handlers/patch.go validateAndTranscodePatch. */
export function checkIsJson(server: ApiServer, text: string): void {
  if (!server.since('v1.37')) return;
  try {
    readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest('invalid JSON patch');
    throw error;
  }
}

/** Applies a JSON patch or merge patch, which work on the object's JSON text. */
function textual(patch: ClientPatch, old: ApiObject): PatchedObject {
  const before = old.codec.encode(old.value);
  const patchErrors = patch.validation === 'Ignore' ? [] : strictPatchErrors(patch);
  const after = patch.type === 'json' ? jsonPatched(before, patch, old.codec.server) : mergePatched(before, patch);
  let decoded: Decoded;
  try {
    decoded = decodeClientPatched(after, old.codec);
  } catch (error) {
    if (error instanceof DecodeError) throw unusable(after, error.message);
    throw error;
  }
  const strictErrors = [...patchErrors, ...decoded.strictErrors];
  if (patch.validation === 'Strict' && strictErrors.length > 0) throw unusable(after, `strict decoding error: ${strictErrors.join(', ')}`);
  try {
    return finished(decoded.value, old, patch.validation === 'Warn' ? strictErrors : []);
  } catch (error) {
    // The decoder converts to the internal type, too.
    if (error instanceof DecodeError) throw unusable(after, error.message);
    throw error;
  }
}

function finished(value: ValueMap, old: ApiObject, warnings: readonly string[]): PatchedObject {
  old.codec.applyDefaults(value);
  // A custom resource may change its own type here, and is refused for it later; its Scale may lose the type.
  const keepsType = isCustomCodec(old.codec) || old.codec.patched !== undefined;
  for (const key of keepsType ? [] : ['kind', 'apiVersion']) {
    const own = old.value.get(key);
    if (own !== undefined) value.set(key, own);
  }
  return { object: { codec: old.codec, value }, warnings };
}

/** Returns the error for a patch whose result is not a valid object of the kind. */
function unusable(value: string, message: string): StatusError {
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', value, message)]);
}

function jsonPatched(before: string, { text, validation }: ClientPatch, server: ApiServer): string {
  if (validation !== 'Ignore') checkTypedOperations(text);
  let patch: ReturnType<typeof decodeJsonPatch>;
  try {
    patch = decodeJsonPatch(text, server);
  } catch (error) {
    if (error instanceof PatchDecodeError) throw badRequest(error.message);
    throw error;
  }
  if (patch.operations.length > operationLimit) {
    throw requestEntityTooLarge(`The allowed maximum operations in a JSON patch is ${operationLimit}, got ${patch.operations.length}`);
  }
  try {
    return applyJsonPatch(before, patch);
  } catch (error) {
    if (error instanceof PatchError) throw withheld();
    throw error;
  }
}

function mergePatched(before: string, { text, validation }: ClientPatch): string {
  if (validation !== 'Ignore') checkIsMap(text);
  try {
    return applyMergePatch(before, text);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw error.message === 'Invalid JSON Patch' ? badRequest(error.message) : withheld();
  }
}

/** Source: apiserver handlers/patch.go, whose decoding into a map finds this before the patch is applied. */
function checkIsMap(text: string): void {
  let node: ReturnType<typeof readJson>;
  try {
    node = readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
  if (node.type !== 'object' && !(node.type === 'literal' && node.value === null)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${node.type === 'literal' ? 'bool' : node.type} into Go value of type map[string]interface {}`,
    );
  }
}

/** Returns the error for an invalid patch; the API server drops the reason. */
function withheld(): StatusError {
  return failure({ code: 422, reason: 'Invalid', message: 'the server rejected our request due to an error in our request', details: {} });
}

const operationMembers = new Set(['op', 'from', 'path', 'value']);

/** Returns strict errors for unknown members of operations and for duplicate keys. */
function strictPatchErrors({ type, text }: ClientPatch): string[] {
  try {
    const node = readJson(text);
    if (type === 'merge') return duplicateFields(node);
    return node.type === 'array' ? node.items.flatMap(operationErrors).map(error => `json patch ${error}`) : [];
  } catch {
    return [];
  }
}

/** Returns the strict errors of one operation, in the order of its members. Source: sigs.k8s.io/json kubernetes_patch.go. */
function operationErrors(operation: JsonNode, index: number): string[] {
  const seen = new Set<string>();
  const found = (operation.type === 'object' ? operation.members : []).flatMap(({ key, value }) => {
    const path = `[${index}].${key}`;
    // What is in an unknown member is skipped.
    if (!operationMembers.has(key)) return [`unknown field "${path}"`];
    const own = seen.has(key) ? [`duplicate field "${path}"`] : [];
    seen.add(key);
    return [...own, ...duplicateFields(value, path)];
  });
  return [...new Set(found)];
}

/** Applies a strategic merge patch, which works on maps and the tags of the Go types. */
function strategic(patch: ClientPatch, old: ApiObject): PatchedObject {
  const schema = schemaOfKind(old.codec.server, old.codec.kind);
  if (schema === undefined) throw new Error(`no strategic merge for ${old.codec.kind.kind}`);
  let decoded: ReturnType<typeof decodeStrategicPatch>;
  try {
    decoded = decodeStrategicPatch(patch.text);
  } catch (error) {
    if (error instanceof PatchDecodeError) throw badRequest(error.message);
    throw error;
  }
  const kept = membersToKeep(old, decoded.patch);
  const original = old.codec.toUnstructured(new Map([...old.value].filter(([name]) => !kept.includes(name))));
  const merged = mergedOrThrow(original, decoded.patch, schema);
  // Merging removes directives from the patch, which errors show whole.
  const shown = copyOf(decoded.patch);
  try {
    const { value, unknownFields } = fromUnstructured(merged, schema);
    const strictErrors = [...decoded.strictErrors, ...unknownFields];
    if (patch.validation === 'Strict' && strictErrors.length > 0)
      throw unusable(printGo(shown), `strict decoding error: ${strictErrors.join(', ')}`);
    const { value: typed } = old.codec.decode(writeValue(value, 'kept'));
    for (const name of kept) typed.set(name, copyOf(old.value.get(name) ?? null));
    return convertible(typed, old, patch.validation === 'Warn' ? strictErrors : []);
  } catch (error) {
    if (error instanceof PatchError || error instanceof DecodeError) throw unusable(printGo(shown), error.message);
    throw error;
  }
}

/** Sets defaults and converts to the internal type, whose error is answered as it is. Source: apiserver handlers/patch.go smpPatcher. */
function convertible(value: ValueMap, old: ApiObject, warnings: readonly string[]): PatchedObject {
  try {
    return finished(value, old, warnings);
  } catch (error) {
    if (error instanceof DecodeError) throw new PlainError(error.message);
    throw error;
  }
}

/**
 * Returns the members of the object that a strategic merge patch does not name and that stay as they are, since v1.38: they are not written and read again, which
 * would sort the keys of embedded objects. Source: apiserver handlers/patch.go canPruneTopLevelPatch.
 */
function membersToKeep({ codec, value }: ApiObject, patch: ValueMap): string[] {
  if (!codec.server.since('v1.38') || [...patch.keys()].some(name => name.startsWith('$'))) return [];
  return [...value.keys()].filter(name => !patch.has(name) && name !== 'apiVersion' && name !== 'kind');
}

/** Messages of malformed patches, which the API server answers with a 400. */
const badRequests = ['invalid patch format of', 'strategic merge patch format is not supported', 'invalid JSON document'];
const unprocessable = ['lists of lists are not supported', "patch content doesn't match retainKeys list"];

function mergedOrThrow(original: ValueMap, patch: ValueMap, schema: Parameters<typeof strategicMerge>[2]): ValueMap {
  try {
    return strategicMerge(original, patch, schema);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    if (badRequests.some(message => error.message.startsWith(message))) throw badRequest(error.message);
    if (unprocessable.some(message => error.message.startsWith(message))) {
      throw withheld();
    }
    throw unknownError(error.message);
  }
}

/**
 * Checks that a JSON patch is a list of operations whose `op`, `path` and `from` are strings before it is decoded, unless field validation
 * is off. Throws a 400 with the first error. Source: apiserver handlers/patch.go jsonPatchOp.
 */
function checkTypedOperations(text: string): void {
  const fault = firstFault(read(text));
  if (fault !== undefined) throw badRequest(`error decoding patch: json: cannot unmarshal ${fault}`);
}

function read(text: string): JsonNode {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
}

function firstFault(patch: JsonNode): string | undefined {
  if (jsonKind(patch) === 'null') return undefined;
  if (patch.type !== 'array') return `${jsonKind(patch)} into Go value of type []handlers.jsonPatchOp`;
  for (const operation of patch.items) {
    if (jsonKind(operation) === 'null') continue;
    if (operation.type !== 'object') return `${jsonKind(operation)} into Go value of type handlers.jsonPatchOp`;
    const wrong = operation.members.find(({ key, value }) => texts.has(key) && value.type !== 'string' && jsonKind(value) !== 'null');
    if (wrong !== undefined) return `${jsonKind(wrong.value)} into Go struct field jsonPatchOp.${wrong.key} of type string`;
  }
  return undefined;
}

const texts = new Set(['op', 'path', 'from']);
