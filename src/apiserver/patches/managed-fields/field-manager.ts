import { readUnstructured } from '../../../encoding/unstructured.js';
import { copyOf, ensureMap, isList, isMap, isRawJson, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind } from '../../../kubernetes/group-version.js';
import { memoize } from '../../../kubernetes/memoize.js';
import type { Schema, StructSchema } from '../../../kubernetes/schema.js';
import { PlainError, StatusError } from '../../../kubernetes/status.js';
import { schemaOfKind } from '../../../kubernetes/type-table.js';
import type { ApiObject } from '../../objects/api-object.js';
import type { Codec } from '../../objects/codec.js';
import { isCustomCodec } from '../../objects/custom-codec.js';
import { difference, type FieldSet, fieldSet, isEmpty, pathOfElement, union } from '../structured-merge/field-set.js';
import { SchemaError } from '../structured-merge/validate.js';
import { capUpdateManagers } from './cap-managers.js';
import { decodeManagedFields, encodeManagedFields, identifierOf, ManagedFieldsError } from './entries.js';
import { type Managed, type Managers, nothingManaged } from './managers.js';
import { computeOwnersOfNew } from './owners-of-new.js';
import { updateOwners } from './updater.js';
import { type ManagedVersions, type TypedObject, typedObjectOf } from './versions.js';

/** Field ownership at one endpoint. */
export interface FieldManager {
  /** Group, version and kind that the endpoint accepts. */
  readonly kind: GroupVersionKind;
  /** Empty for the main resource. */
  readonly subresource: string;
  readonly codec: Codec;
  readonly versions: ManagedVersions;
  /** Removes the fields from a set that the endpoint resets; the same function for equal endpoints. */
  readonly filter: (set: FieldSet, apiVersion: string) => FieldSet;
  /** A part of a custom resource, such as its Scale, which cannot be converted to a version of the resource. */
  readonly isCustomPart?: boolean;
}

/** Create, update or patch, after defaulting and before admission. */
export interface ObjectUpdate {
  /** Stored object; undefined on create. */
  readonly live: ApiObject | undefined;
  readonly object: ApiObject;
  /** See `managerName`. */
  readonly manager: string;
  /** RFC 3339 in UTC, whole seconds. */
  readonly now: string;
}

/**
 * Returns the new `metadata.managedFields` of the object; undefined when empty. Never fails: when ownership cannot be computed, there are
 * no managers, or since v1.37 those of the stored object. Source: apimachinery managedfields/internal FieldManager.UpdateNoErrors.
 */
export async function updateManagedFields(change: ObjectUpdate, fields: FieldManager): Promise<Value[] | undefined> {
  const managed = managedBefore(change, fields.subresource);
  // An existing object without managers gets none until something is applied to it.
  if (managed.managers.size === 0 && stringAt(change.live?.value, 'metadata', 'uid') !== '') return undefined;
  const afterFailure = (): Value[] | undefined => (fields.codec.server.since('v1.37') ? entriesOf(change.live)?.slice() : undefined);
  if (fields.codec.patched !== undefined && stringAt(change.object.value, 'apiVersion') === '') return afterFailure();
  try {
    const given = isCustomCodec(fields.codec) ? await convertToOwnVersion(change.object, fields) : change.object;
    const kinds = [given, change.live].map(object => stringAt(object?.value, 'kind') || fields.kind.kind);
    if (isCustomCodec(fields.codec) && kinds.some(kind => kind !== fields.kind.kind)) return afterFailure();
    const computeOwners = async (): Promise<Managers> => {
      const live = jsonOfObject(change.live, fields.codec, { keepsManagedFields: isCustomCodec(fields.codec), rawTexts: 'as bytes' });
      const object = jsonOfObject(given, fields.codec, { rawTexts: 'as bytes' });
      return computeOwnersAfter({ live, object, managed }, fields);
    };
    const isNew = change.live === undefined && managed.managers.size === 0 && fields.subresource === '' && !isCustomCodec(fields.codec);
    const owners = await (isNew ? computeOwnersOfNew(given, fields, computeOwners) : computeOwners());
    return encodeManagedFields(fields.codec.server, managedBy(owners, { ...change, managed }, fields));
  } catch (error) {
    if (error instanceof SchemaError || error instanceof StatusError || error instanceof PlainError) return afterFailure();
    throw error;
  }
}

/** Returns a custom resource in the endpoint's version, from the one that a patch named. Throws PlainError if it cannot be converted. */
async function convertToOwnVersion(object: ApiObject, { kind, versions }: FieldManager): Promise<ApiObject> {
  const [from, to] = [stringAt(object.value, 'apiVersion'), apiVersionOf(kind)];
  const value = from === to ? undefined : await versions.convert(copyOf(object.value), to, from);
  return value === undefined ? object : { ...object, value };
}

/** Update of objects that are already JSON. */
export interface TrackedUpdate {
  readonly live: ValueMap;
  readonly object: ValueMap;
  readonly managed: Managed;
  readonly manager: string;
  readonly now: string;
}

/**
 * Returns the owners after an update; the manager's time is set when the update changed anything. Throws SchemaError for objects that do
 * not fit their type. Source: apimachinery managedfields/internal, capManagersManager and what it wraps.
 */
export async function trackUpdate(update: TrackedUpdate, fields: FieldManager): Promise<Managed> {
  return managedBy(await computeOwnersAfter(update, fields), update, fields);
}

/** The operation is a separate manager at first, so that the manager's previous fields are treated like those of others. */
const self = 'current-operation';

async function computeOwnersAfter(update: Pick<TrackedUpdate, 'live' | 'object' | 'managed'>, fields: FieldManager): Promise<Managers> {
  const apiVersion = apiVersionOf(fields.kind);
  const allow = { versions: fields.versions, rule: 'allow duplicates' } as const;
  const given: TypedObject = typedObjectOf(update.object, apiVersion, allow);
  const live: TypedObject = typedObjectOf(update.live, apiVersion, allow);
  return withoutSystemFields(await updateOwners({ live, given, managers: update.managed.managers }, self, fields), self);
}

function managedBy(owners: Managers, { managed, manager, now }: Omit<TrackedUpdate, 'live' | 'object'>, fields: FieldManager): Managed {
  const managers = new Map(owners);
  const times = new Map(managed.times);
  const current = managers.get(self);
  const info = {
    manager: manager || 'unknown',
    operation: 'Update',
    apiVersion: apiVersionOf(fields.kind),
    subresource: fields.subresource,
  } as const;
  const id = identifierOf(info);
  if (current !== undefined) {
    managers.delete(self);
    const previous = managers.get(id);
    managers.set(id, previous === undefined ? current : { ...current, set: union(current.set, previous.set) });
    times.set(id, now);
  }
  return { ...capUpdateManagers({ managers, times }), renewed: new Set(current === undefined ? [] : [id]) };
}

/** Removes the fields from a manager's set that no manager owns. Source: apimachinery managedfields/internal/stripmeta.go. */
export function withoutSystemFields(managers: Managers, id: string): Managers {
  const owned = managers.get(id);
  if (owned === undefined) return managers;
  const set = difference(owned.set, systemFields);
  const stripped = new Map(managers).set(id, { ...owned, set });
  if (isEmpty(set)) stripped.delete(id);
  return stripped;
}

const systemFields = fieldSet(
  pathOfElement('apiVersion'),
  pathOfElement('kind'),
  pathOfElement('metadata'),
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map(
    name => pathOfElement('metadata', name),
  ),
);

/** Sets or removes `metadata.managedFields`. Custom resources have `fieldsV1` as an ordinary value, built-in kinds as raw JSON. */
export function setManagedFields(value: ValueMap, entries: readonly Value[] | undefined, form: 'raw' | 'untyped'): void {
  if (entries === undefined) mapAt(value, 'metadata')?.delete('managedFields');
  else ensureMap(value, 'metadata').set('managedFields', form === 'raw' ? [...entries] : entries.map(untypedEntry));
}

interface JsonForm {
  readonly keepsManagedFields?: boolean;
  /** Set where atomic lists are compared as Go structs: both objects are. A merged one is not. */
  readonly rawTexts?: RawTexts;
}

/**
 * Returns the object as JSON with everything that Go writes except its managed fields (a converter of custom resources gets those of the
 * stored object); without an object, the empty one of the kind.
 */
export function jsonOfObject(
  object: ApiObject | undefined,
  codec: Codec,
  { keepsManagedFields = false, rawTexts }: JsonForm = {},
): ValueMap {
  if (object === undefined) return copyOf(emptyJson(codec));
  const value = new Map(object.value);
  const metadata = value.get('metadata');
  if (!keepsManagedFields && isMap(metadata)) value.set('metadata', withoutManagedFields(metadata));
  return writtenJson(value, object.codec, rawTexts);
}

function withoutManagedFields(metadata: ValueMap): ValueMap {
  const copy = new Map(metadata);
  copy.delete('managedFields');
  return copy;
}

/** Returns the JSON of an empty object, the same for every new one. */
function emptyJson(codec: Codec): ValueMap {
  const name = `${apiVersionOf(codec.kind)}/${codec.kind.kind}`;
  const known = isCustomCodec(codec) ? undefined : emptyObjects(codec.server).get(name);
  const json = known ?? writtenJson(new Map(), codec);
  if (!isCustomCodec(codec)) emptyObjects(codec.server).set(name, json);
  return json;
}

const emptyObjects = memoize((_server: ApiServer) => new Map<string, ValueMap>());

function writtenJson(value: ValueMap, codec: Codec, rawTexts?: RawTexts): ValueMap {
  // Conversion to the request's version sets these, also for an empty object.
  value.set('kind', codec.kind.kind);
  value.set('apiVersion', apiVersionOf(codec.kind));
  const json = codec.toUnstructured(value);
  const schema = isCustomCodec(codec) ? undefined : schemaOfKind(codec.server, codec.kind);
  if (schema !== undefined && rawTexts !== undefined) restoreEmptyMembers(json, value, schema, rawTexts);
  return json;
}

/** Returns the managers in an object; none when they cannot be decoded. */
function managedOf(object: ApiObject | undefined): Managed {
  try {
    return decodeManagedFields(entriesOf(object) ?? []);
  } catch (error) {
    if (error instanceof ManagedFieldsError) return nothingManaged;
    throw error;
  }
}

/** Source: apimachinery managedfields/internal/fieldmanager.go decodeLiveOrNew. */
function managedBefore({ live, object }: ObjectUpdate, subresource: string): Managed {
  // A write to a subresource cannot set managed fields.
  if (subresource !== '') return managedOf(live);
  const given = entriesOf(object);
  if (given !== undefined && isReset(given)) return nothingManaged;
  const managed = managedOf(object);
  return managed.managers.size > 0 ? managed : managedOf(live);
}

function entriesOf(object: ApiObject | undefined): readonly Value[] | undefined {
  const entries = valueAt(object?.value, 'metadata', 'managedFields');
  return isList(entries) ? entries : undefined;
}

/** Reports whether the entries are an empty list, or a list of one empty entry: the client wants to reset the managed fields. */
function isReset(entries: readonly Value[]): boolean {
  const [first] = entries;
  if (first === undefined) return true;
  return entries.length === 1 && isMap(first) && [...first.values()].every(value => value === null || value === '');
}

function untypedEntry(entry: Value): Value {
  if (!isMap(entry)) return entry;
  return new Map([...entry].map(([key, value]) => [key, isRawJson(value) ? readUnstructured(value.rawJson) : value]));
}

/** Representation of raw JSON within atomic lists: JSON, or bytes where it is only compared. */
type RawTexts = 'as JSON' | 'as bytes';

/**
 * Restores the empty lists and maps in items of atomic lists, which JSON omits. Such lists are compared as Go structs: an empty list
 * differs from an absent one, and raw JSON is bytes. Changes `json`, which was written from `typed`. Source: structured-merge-diff
 * value/listreflect.go EqualsUsing.
 */
function restoreEmptyMembers(json: ValueMap, typed: ValueMap, schema: StructSchema, rawTexts: RawTexts): void {
  restoreStruct({ json, typed }, schema, rawTexts);
}

interface Pair {
  readonly json: ValueMap;
  readonly typed: ValueMap;
}

function restoreStruct({ json, typed }: Pair, { fieldsByName }: StructSchema, rawTexts: RawTexts): void {
  typed.forEach((member, name) => {
    if (!isMap(member) && !isList(member)) return;
    const field = fieldsByName.get(name);
    if (field === undefined || field.schema.type === 'leaf') return;
    const { schema, listType } = field;
    const isAtomic = schema.type === 'list' && listType !== 'map' && listType !== 'set';
    restoreBelow(json.get(name), member, { schema, isAtomic, rawTexts });
  });
}

interface Below {
  readonly schema: Schema;
  readonly isAtomic: boolean;
  readonly rawTexts: RawTexts;
}

function restoreBelow(json: Value | undefined, typed: Value | undefined, { schema, isAtomic, rawTexts }: Below): void {
  if (schema.type === 'list' && isList(json) && isList(typed))
    for (const [index, item] of typed.entries()) restoreBelow(json[index], item, { schema: schema.items, isAtomic, rawTexts });
  else if (schema.type === 'map' && isMap(json) && isMap(typed))
    // Recorded calls show that raw JSON in the structs of a map is compared as JSON.
    for (const [key, value] of typed) restoreBelow(json.get(key), value, { schema: schema.values, isAtomic, rawTexts: 'as JSON' });
  else if (schema.type === 'struct' && isMap(json) && isMap(typed)) {
    if (isAtomic) restoreWithin({ json, typed }, schema, rawTexts);
    else restoreStruct({ json, typed }, schema, rawTexts);
  }
}

/** Restores everything below an atomic list. */
function restoreWithin({ json, typed }: Pair, { fieldsByName }: StructSchema, rawTexts: RawTexts): void {
  for (const [name, member] of typed) {
    const schema = fieldsByName.get(name)?.schema;
    if (schema === undefined) continue;
    const isEmpty = (isList(member) && member.length === 0) || (isMap(member) && member.size === 0 && schema.type === 'map');
    if (isEmpty && json.get(name) === undefined) json.set(name, schema.type === 'map' ? new Map() : []);
    else if (rawTexts === 'as bytes' && isRawJson(member)) json.set(name, new Map([['', member.sent ?? member.rawJson]]));
    else restoreBelow(json.get(name), member, { schema, isAtomic: true, rawTexts });
  }
}
