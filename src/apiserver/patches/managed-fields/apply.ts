import { readUnstructured } from '../../../encoding/unstructured.js';
import { JsonSyntaxError } from '../../../go/json/syntax-error.js';
import { writeValue } from '../../../go/json/write.js';
import { copyOf, isList, isMap, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind, parseApiVersion, printKind } from '../../../kubernetes/group-version.js';
import { PlainError } from '../../../kubernetes/status.js';
import { badRequest } from '../../../kubernetes/status-errors.js';
import { schemaOfKind, structNamed } from '../../../kubernetes/type-table.js';
import type { ApiObject } from '../../objects/api-object.js';
import { isCustomCodec } from '../../objects/custom-codec.js';
import { fromUnstructured } from '../from-unstructured.js';
import { PatchError } from '../patch-error.js';
import { compareTyped } from '../structured-merge/compare.js';
import { difference, type FieldSet } from '../structured-merge/field-set.js';
import { toFieldSet } from '../structured-merge/to-field-set.js';
import { SchemaError } from '../structured-merge/validate.js';
import { ConflictsError, conflictStatus, conflictsBeyond } from './conflicts.js';
import { decodeManagedFields, encodeManagedFields, identifierOf, ManagedFieldsError } from './entries.js';
import { type FieldManager, jsonOfObject, trackUpdate, withoutSystemFields } from './field-manager.js';
import type { Managed } from './managers.js';
import { applyOwners } from './updater.js';
import { type TypedObject, typedObjectOf, typeOfObject } from './versions.js';

/** Server-side apply. */
export interface ApplyRequest {
  /** Stored object; undefined: the apply creates the object. */
  readonly live: ApiObject | undefined;
  /** Body; numbers without a fraction are int64. */
  readonly applied: ValueMap;
  readonly manager: string;
  readonly force: boolean;
  /** RFC 3339 in UTC, whole seconds. */
  readonly now: string;
}

/** Result of applying a configuration. */
export interface ApplyResult {
  /** Merged object, untyped, before decoding and defaulting; undefined: the stored one is unchanged. */
  readonly object: ValueMap | undefined;
  /** Members of the object that are certainly those of the stored one, in the same version and of a built-in kind. */
  readonly shared: readonly string[];
  /** New `metadata.managedFields`. */
  readonly managedFields: Value[] | undefined;
}

/**
 * Applies a configuration. Throws StatusError: 400 for the wrong kind or managed fields in the body, 409 for conflicts; PlainError
 * when the body does not fit its type. Source: apimachinery managedfields/internal FieldManager.Apply.
 */
export async function applyConfiguration(request: ApplyRequest, fields: FieldManager): Promise<ApplyResult> {
  const before = decodeLive(request.live);
  checkBody(fields.codec.server, request.applied, fields.kind);
  const { live, managed } = await addFirstOwner(
    { live: jsonOfObject(request.live, fields.codec, { keepsManagedFields: isCustomCodec(fields.codec) }), managed: before },
    request,
    fields,
  );
  const given = typedBody(request.applied, fields);
  checkLiveKind(request.live, fields);
  const result = await applyUnlessConflicts({ live: typedLive(live, fields), given, managed }, live, { request, fields });
  return { ...result, object: withLastApplied(result.object, live, request), shared: sharedMembers(result.object, live, request, fields) };
}

async function applyUnlessConflicts(
  attempt: Attempt,
  live: ValueMap,
  { request, fields }: { readonly request: ApplyRequest; readonly fields: FieldManager },
): Promise<Omit<ApplyResult, 'shared'>> {
  try {
    return await applyOnce(attempt, request, fields);
  } catch (error) {
    if (!(error instanceof ConflictsError)) throw error;
    const allowed = request.manager === 'kubectl' ? allowedByLastApplied(live, fields) : undefined;
    if (allowed === undefined) throw conflictStatus(error.conflicts);
    const left = conflictsBeyond(error.conflicts, allowed);
    if (left !== undefined) throw conflictStatus(left);
    return applyOnce(attempt, { ...request, force: true }, fields);
  }
}

/** Returns the members that a merge took from the stored object as they are. Metadata may change afterwards. */
function sharedMembers(
  object: ValueMap | undefined,
  live: ValueMap,
  { live: stored }: ApplyRequest,
  { codec }: FieldManager,
): readonly string[] {
  if (object === undefined || stored === undefined || isCustomCodec(codec) || stored.codec.kind.version !== codec.kind.version) return [];
  const names: string[] = [];
  for (const [name, member] of object)
    if (name !== 'metadata' && isMap(member) && member === live.get(name) && stored.value.has(name)) names.push(name);
  return names;
}

/** Updates kubectl's last-applied annotation, also in an otherwise unchanged object. */
function withLastApplied(object: ValueMap | undefined, live: ValueMap, { applied, manager }: ApplyRequest): ValueMap | undefined {
  const result = object ?? (manager === 'kubectl' && lastAppliedOf(live) !== undefined ? copyOf(live) : undefined);
  if (result !== undefined) updateLastApplied(result, applied, manager);
  return result;
}

/**
 * Returns the merged object of a built-in kind, decoded into its type; numbers are converted as leniently as by Go's converter. The error
 * names `applied` when it does not fit. Throws PlainError with the API server's message. Source: apimachinery
 * managedfields/internal/structuredmerge.go, runtime/scheme.go.
 */
export function readApplied(server: ApiServer, merged: ValueMap, applied: ValueMap, kind: GroupVersionKind): ValueMap {
  const schema = schemaOfKind(server, kind);
  if (schema === undefined) return merged;
  try {
    return fromUnstructured(merged, schema).value;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const why = `unable to convert unstructured object to ${printKind(kind)}: ${error.message}`;
    throw new PlainError(`failed to convert new object (${describe(applied, kind)}) to proper version: ${why}`);
  }
}

interface Attempt {
  readonly live: TypedObject;
  readonly given: TypedObject;
  readonly managed: Managed;
}

async function applyOnce(
  { live, given, managed }: Attempt,
  request: ApplyRequest,
  fields: FieldManager,
): Promise<Omit<ApplyResult, 'shared'>> {
  const apiVersion = apiVersionOf(fields.kind);
  const id = identifierOf({ manager: request.manager || 'unknown', operation: 'Apply', apiVersion, subresource: fields.subresource });
  const applied = await applyOwners({ live, given, managers: managed.managers }, { manager: id, force: request.force }, fields);
  const managers = withoutSystemFields(applied.managers, id);
  // A change of ownership alone does not update the time.
  const times = applied.object === undefined ? managed.times : new Map(managed.times).set(id, request.now);
  const renewed = new Set([...(managed.renewed ?? []), ...(applied.object === undefined ? [] : [id])]);
  const value = applied.object?.value;
  const managedFields = encodeManagedFields(fields.codec.server, { managers, times, renewed });
  return { object: value !== undefined && isMap(value) ? value : undefined, managedFields };
}

function decodeLive(live: ApiObject | undefined): Managed {
  const entries = valueAt(live?.value, 'metadata', 'managedFields');
  try {
    return decodeManagedFields(isList(entries) ? entries : []);
  } catch (error) {
    if (error instanceof ManagedFieldsError) throw new PlainError(`failed to decode managed fields: ${error.message}`);
    throw error;
  }
}

/** Source: apimachinery managedfields/internal/versioncheck.go, structuredmerge.go. */
function checkBody(server: ApiServer, applied: ValueMap, kind: GroupVersionKind): void {
  const groupVersion = parseApiVersion(stringAt(applied, 'apiVersion')) ?? { group: '', version: '' };
  const found: GroupVersionKind = { ...groupVersion, kind: stringAt(applied, 'kind') };
  if (printKind(found) !== printKind(kind)) throw badRequest(`invalid object type: ${printKind(found)}`);
  const entries = valueAt(applied, 'metadata', 'managedFields');
  if (isList(entries) && entries.every(value => isEntry(server, value))) throw badRequest('metadata.managedFields must be nil');
}

function isEntry(server: ApiServer, value: Value): boolean {
  try {
    return isMap(value) && fromUnstructured(value, structNamed(server, 'meta/v1.ManagedFieldsEntry')) !== undefined;
  } catch (error) {
    if (error instanceof PatchError) return false;
    throw error;
  }
}

/** Adds a manager of all fields to an object without managers. Source: apimachinery managedfields/internal/skipnonapplied.go. */
async function addFirstOwner(
  { live, managed }: { readonly live: ValueMap; readonly managed: Managed },
  { now }: ApplyRequest,
  fields: FieldManager,
): Promise<{ readonly live: ValueMap; readonly managed: Managed }> {
  if (managed.managers.size > 0) return { live, managed };
  if (fields.isCustomPart) {
    const why = `request to convert CR to an invalid group/version: ${apiVersionOf(fields.kind)}`;
    const what = `failed to convert live object (${describe(new Map(), fields.kind)}) to proper version`;
    throw new PlainError(`failed to create manager for existing fields: ${what}: ${why}`);
  }
  const empty = jsonOfObject(undefined, fields.codec);
  const update = { live: empty, object: live, managed, manager: 'before-first-apply', now };
  try {
    return { live, managed: await trackUpdate(update, fields) };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const why = `failed to convert new object (${describe(live, fields.kind)}) to smd typed: ${error.message}`;
    throw new PlainError(`failed to create manager for existing fields: ${why}`);
  }
}

function typedBody(applied: ValueMap, fields: FieldManager): TypedObject {
  try {
    return typedObjectOf(applied, apiVersionOf(fields.kind), { versions: fields.versions, rule: 'no duplicates' });
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new PlainError(`failed to create typed patch object (${describe(applied, fields.kind)}): ${error.message}`);
  }
}

/** Refuses an apply to a custom resource of another kind, which it has from before its definition was made again. */
function checkLiveKind(live: ApiObject | undefined, { kind: served }: FieldManager): void {
  if (live === undefined) return;
  const kind = { ...served, kind: stringAt(live.value, 'kind') || served.kind };
  if (kind.kind === served.kind) return;
  throw new PlainError(`failed to create typed live object (${describe(live.value, kind)}): no corresponding type for ${printKind(kind)}`);
}

function typedLive(live: ValueMap, fields: FieldManager): TypedObject {
  try {
    return typedObjectOf(live, apiVersionOf(fields.kind), { versions: fields.versions, rule: 'allow duplicates' });
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new PlainError(`failed to create typed live object (${describe(live, fields.kind)}): ${error.message}`);
  }
}

/** Returns the object as errors of an apply name it: `NAMESPACE/NAME; GROUP/VERSION, Kind=KIND`. */
export function describe(object: ValueMap, kind: GroupVersionKind): string {
  return `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}; ${printKind(kind)}`;
}

/**
 * Returns the fields that kubectl may take from others because it applied them on the client: unchanged fields of the last applied
 * configuration. undefined when there is none. Source: apimachinery managedfields/internal/lastappliedmanager.go.
 */
function allowedByLastApplied(live: ValueMap, fields: FieldManager): FieldSet | undefined {
  const apiVersion = apiVersionOf(fields.kind);
  const last = readLastApplied(lastAppliedOf(live) ?? '');
  if (last === undefined || stringAt(last, 'apiVersion') !== apiVersion) return undefined;
  const strict = { versions: fields.versions, rule: 'no duplicates' } as const;
  try {
    const liveTyped = typedObjectOf(live, apiVersion, strict);
    const lastTyped = typedObjectOf(last, apiVersion, strict);
    const type = typeOfObject(lastTyped, fields.versions);
    const { modified, added, removed } = compareTyped(lastTyped.value, liveTyped.value, type);
    return difference(difference(difference(toFieldSet(lastTyped.value, type), modified), added), removed);
  } catch (error) {
    if (error instanceof SchemaError) return undefined;
    throw error;
  }
}

function readLastApplied(text: string): ValueMap | undefined {
  try {
    const value = readUnstructured(text);
    return isMap(value) && stringAt(value, 'kind') !== '' ? value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** Max bytes of all annotations of an object. Source: apimachinery api/validation TotalAnnotationSizeLimitB. */
const annotationsLimit = 256 * 1024;

/** Returns the configuration that kubectl last applied on the client; undefined when there is none. */
function lastAppliedOf(object: ValueMap): string | undefined {
  return stringAt(object, 'metadata', 'annotations', annotation) || undefined;
}

/**
 * Updates the annotation of client-side apply after kubectl applied on the server, if the object has one. It is removed when it would make
 * the annotations too large. Source: apimachinery managedfields/internal/lastappliedupdater.go.
 */
export function updateLastApplied(object: ValueMap, applied: ValueMap, manager: string): void {
  const annotations = mapAt(object, 'metadata', 'annotations');
  if (manager !== 'kubectl' || annotations === undefined || lastAppliedOf(object) === undefined) return;
  const configuration = copyOf(applied);
  mapAt(configuration, 'metadata', 'annotations')?.delete(annotation);
  annotations.set(annotation, `${writeValue(configuration, 'sorted')}\n`);
  if (bytesOf(annotations) > annotationsLimit) annotations.delete(annotation);
}

function bytesOf(annotations: ReadonlyMap<string, Value>): number {
  let bytes = 0;
  for (const [key, value] of annotations) bytes += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  return bytes;
}
