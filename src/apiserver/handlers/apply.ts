import { objectOfJsonLine } from '../../encoding/json-as-yaml.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import { copyOf, ensureMap, isMap, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { trimLeftSpace } from '../../go/white-space.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { required } from '../../kubernetes/field-error.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import { PlainError } from '../../kubernetes/status.js';
import { badRequest, conflict, notFound } from '../../kubernetes/status-errors.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import type { CallContext, VerbAnswer } from '../call/call-context.js';
import { asCreateOptions, type FieldValidation, type WriteOptions, writeOptions } from '../call/request-options.js';
import type { ApiObject } from '../objects/api-object.js';
import { type Codec, DecodeError } from '../objects/codec.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { decodeStored } from '../objects/decode-stored.js';
import { encodedObject } from '../objects/encoded-object.js';
import { applyConfiguration, describe, readApplied } from '../patches/managed-fields/apply.js';
import { SchemaError } from '../patches/structured-merge/validate.js';
import { flagIn } from '../storage/list-options.js';
import { readStoredObject } from '../storage/stored-object.js';
import { createAttributes, store } from './create.js';
import { mutate } from './mutate.js';
import { checkMetadata } from './patch-metadata.js';
import { fieldManagerOf, managerOf, writeManagedFields } from './record-managed-fields.js';
import { partStorageOf } from './rest-storage.js';
import { createsOnUpdate, storeUpdate, updateAttributes } from './update.js';

/** Handles a server-side apply: an update, or the creation of a missing object. Source: apiserver handlers/patch.go applyPatcher. */
export async function apply(context: CallContext): Promise<VerbAnswer> {
  const options = applyOptions(context);
  const body = await readAppliedBody(context, options.fieldValidation);
  const { subresource } = context.info;
  const part = partStorageOf(context);
  if (part !== undefined) return part.change(context, options, (live, at) => applyPatchToCurrentObject(live, { ...body, options }, at));
  const attempt = async (at: CallContext): Promise<VerbAnswer> => {
    const live = await readStoredObject(at, options.dryRun);
    if (live === undefined && subresource !== '' && !createsOnUpdate(at)) throw notFound(at.endpoint.resource, at.info.name);
    at.effects.steps?.enter({ kind: 'patch', phase: 'request' }, encodedObject(live));
    const object = await applyPatchToCurrentObject(live, { ...body, options }, at);
    if (live === undefined) return createApplied(object, options, at);
    const change = { object, old: live, options };
    await mutate(updateAttributes(change, at), at);
    return storeUpdate(change, attempt, at);
  };
  return attempt(context);
}

/** Applied configuration and its options. */
interface AppliedBody {
  readonly applied: ValueMap;
  /** Refuses duplicate keys, or warns about them: only once the apply is known to succeed. */
  readonly checkDuplicates: () => void;
}

interface Application extends AppliedBody {
  readonly options: WriteOptions;
}

/** Returns the new object with its managed fields. */
async function applyPatchToCurrentObject(
  live: ApiObject | undefined,
  { applied, checkDuplicates, options }: Application,
  context: CallContext,
): Promise<ApiObject> {
  const manager = managerOf(options, context);
  const request = { live, applied, manager, force: options.force === true, now: timestampOf(context.effects.now()) };
  const result = await rejectWithPlainError(applyConfiguration(request, fieldManagerOf(context)));
  checkDuplicates();
  if (result.object !== undefined) refuseCustomPart(applied, context);
  const object = objectOf({ merged: result.object, applied, shared: result.shared }, live, context);
  writeManagedFields(object, result.managedFields);
  checkUid(object, live, context);
  checkMetadata(object, context);
  return object;
}

/**
 * Refuses an apply to a part of a custom resource: the API server fails to convert it to a version of the resource. Source: apimachinery
 * managedfields/internal/structuredmerge.go.
 */
function refuseCustomPart(applied: ValueMap, context: CallContext): void {
  const { custom, codec } = context;
  if (custom === undefined || partStorageOf(context) === undefined) return;
  const why = `request to convert CR to an invalid group/version: ${apiVersionOf(codec.kind)}`;
  throw new PlainError(`failed to convert new object (${describe(applied, codec.kind)}) to proper version: ${why}`);
}

/** Refuses a uid for an object that does not exist. Source: apiserver handlers/patch.go applyPatch. */
function checkUid({ value }: ApiObject, live: ApiObject | undefined, { endpoint, info }: CallContext): void {
  const uid = stringAt(value, 'metadata', 'uid');
  if (uid === '' || live !== undefined) return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(endpoint.resource, info.name, why);
}

/** Runs a step; a schema mismatch of a converted object becomes a PlainError with the schema's message. */
async function rejectWithPlainError<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw error instanceof SchemaError ? new PlainError(error.message) : error;
  }
}

async function createApplied(object: ApiObject, options: WriteOptions, context: CallContext): Promise<VerbAnswer> {
  const creation = { ...options, object: asCreateOptions(context.server, options) };
  const attributes = createAttributes(object, creation, context);
  await mutate(attributes, context);
  return store(object, attributes, creation, context);
}

/** Returns the options of an apply, which requires a field manager. */
function applyOptions({ query, server }: CallContext): WriteOptions {
  const errors = (query.get('fieldManager')?.[0] ?? '') === '' ? [required('fieldManager', 'is required for apply patch')] : [];
  return { ...writeOptions(server, 'PatchOptions', query, errors), force: flagIn(query, 'force') };
}

/** Returns the body, which is CBOR if its type says it, and otherwise always parsed as YAML. */
async function readAppliedBody(context: CallContext, validation: FieldValidation): Promise<AppliedBody> {
  const isCbor = /^application\/apply-patch\+cbor\b/.test(context.call.contentType ?? '');
  return isCbor ? readAppliedCbor(context) : readAppliedYaml(context, validation);
}

async function readAppliedCbor({ call, server }: CallContext): Promise<AppliedBody> {
  const { CborError, jsonOfCbor } = await import('../../encoding/cbor/read-cbor.js');
  const refused = (problem: string): Error => badRequest(`error decoding ${patchWordOf(server)}: ${problem}`);
  try {
    const value = readUnstructured(jsonOfCbor(call.body ?? new Uint8Array()));
    if (isMap(value)) return { applied: value, checkDuplicates: () => undefined };
    throw refused('cbor: cannot unmarshal into Go value of type map[string]interface {}');
  } catch (error) {
    throw error instanceof CborError ? refused(error.message) : error;
  }
}

/** Name of the body in errors. */
function patchWordOf(server: ApiServer): string {
  return server.since('v1.37') ? 'patch' : 'YAML';
}

async function readAppliedYaml({ call, record, server }: CallContext, validation: FieldValidation): Promise<AppliedBody> {
  const text = decodeUtf8Bytes(call.body ?? new Uint8Array());
  const object = objectOfJsonLine(text);
  if (object !== undefined) return { applied: object, checkDuplicates: () => undefined };
  const { yamlToJson, yamlToJsonStrict, YamlError } = await import('../../encoding/yaml.js');
  const patchWord = patchWordOf(server);
  let json: string;
  try {
    json = yamlToJson(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    // Since v1.37 what begins as JSON is not converted first.
    const first = server.since('v1.37') && !trimLeftSpace(text).startsWith('{');
    throw badRequest(`${first ? 'error encoding patch' : `error decoding ${patchWord}: error converting YAML to JSON`}: ${error.message}`);
  }
  const checkDuplicates = (): void => {
    try {
      if (validation !== 'Ignore') yamlToJsonStrict(text);
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      if (validation === 'Strict') throw badRequest(`error strict decoding ${patchWord}: error converting YAML to JSON: ${error.message}`);
      const lines = error.message.split('\n').slice(1);
      record.warnings.push(...lines.map(line => line.trim()));
    }
  };
  const value: Value = readUnstructured(json);
  if (isMap(value)) return { applied: value, checkDuplicates };
  if (value === null) return { applied: new Map(), checkDuplicates };
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'number';
  throw badRequest(
    `error decoding ${patchWord}: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
  );
}

interface Merged {
  /** undefined: nothing changes. */
  readonly merged: ValueMap | undefined;
  readonly applied: ValueMap;
  /** Members of `merged` that are those of the stored object. */
  readonly shared: readonly string[];
}

/** Returns the merged object, decoded into its type with defaults, and a custom resource not pruned; the stored one when nothing changes. */
function objectOf({ merged, applied, shared }: Merged, live: ApiObject | undefined, { codec, server }: CallContext): ApiObject {
  if (merged === undefined) return { codec, value: live === undefined ? new Map() : copyOf(live.value) };
  try {
    const value = isCustomCodec(codec)
      ? codec.decodeUnpruned(writeValue(merged, 'sorted'))
      : withStored(
          decodeStored(codec, writeValue(readApplied(server, without(merged, shared), applied, codec.kind), 'kept')),
          live,
          shared,
        );
    applyDefaults(value, applied, codec);
    ensureMap(value, 'metadata');
    return { codec, value };
  } catch (error) {
    if (error instanceof DecodeError) throw new PlainError(error.message);
    throw error;
  }
}

function without(merged: ValueMap, members: readonly string[]): ValueMap {
  return members.length === 0 ? merged : new Map([...merged].filter(([name]) => !members.includes(name)));
}

/** Sets members to copies of those of the stored object: most of an object does not change, and need not be decoded. */
function withStored(object: ValueMap, live: ApiObject | undefined, members: readonly string[]): ValueMap {
  for (const name of members) object.set(name, copyOf(live?.value.get(name)) ?? null);
  return object;
}

/** Sets defaults and converts to the internal type. Source: apimachinery managedfields/internal/structuredmerge.go Apply. */
function applyDefaults(value: ValueMap, applied: ValueMap, codec: Codec): void {
  try {
    codec.applyDefaults(value);
  } catch (error) {
    if (error instanceof DecodeError)
      throw new PlainError(`failed to convert to unversioned (${describe(applied, codec.kind)}): ${error.message}`);
    throw error;
  }
}
