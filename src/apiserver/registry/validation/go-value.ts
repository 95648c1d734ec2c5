import { indented } from '../../../go/json/indent.js';
import { compareKeys, goString } from '../../../go/json/write.js';
import { ownMember } from '../../../go/own-members.js';
import { isList, isMap, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { BadValue } from '../../../kubernetes/field-error.js';
import type { FieldSchema, Schema, StructSchema } from '../../../kubernetes/schema.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import { encodeAs } from '../../objects/encode-typed.js';

/**
 * Returns a struct as an error shows it: JSON of the internal type, whose fields have no tags, so Go names are used and no field is
 * omitted. Types of meta/v1 are the same in the internal version and keep their tags. The type is that of the table, `core/v1.PodSpec`.
 */
export function internalValue(server: ApiServer, typeName: string, value: Value | undefined): BadValue {
  return { rawJson: goValueText(structNamed(server, typeName), value) };
}

/** Returns the value of a struct's field in the same form. Strings and numbers are shown as they are. */
export function internalFieldValue(field: FieldSchema, value: Value | undefined): BadValue {
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  if (value === undefined && !field.pointer && field.schema.type === 'leaf' && field.schema.leaf === 'string') return '';
  return { rawJson: fieldText(field, value) };
}

/** Returns the same with line breaks and an indentation of one space, as in the diffs of refused updates. */
export function indentedInternal(server: ApiServer, typeName: string, value: Value | undefined): string {
  return indented(goValueText(structNamed(server, typeName), value), ' ');
}

/** Returns the same for a list of structs; an empty one is nil. */
export function indentedInternalList(server: ApiServer, typeName: string, values: readonly Value[]): string {
  const schema = structNamed(server, typeName);
  return values.length === 0 ? 'null' : indented(`[${values.map(value => goValueText(schema, value)).join(',')}]`, ' ');
}

function goValueText(schema: Schema, value: Value | undefined): string {
  if (value === undefined || value === null) return schema.type === 'struct' ? structText(schema, new Map()) : zeroText(schema);
  if (schema.type === 'struct') return isMap(value) ? structText(schema, value) : 'null';
  if (schema.type === 'list') return isList(value) ? `[${value.map(item => goValueText(schema.items, item)).join(',')}]` : 'null';
  if (schema.type === 'map') return isMap(value) ? mapText(schema.values, value) : 'null';
  return encodeAs(schema, value);
}

function structText(schema: StructSchema, value: ValueMap): string {
  if (schema.name.startsWith('meta/v1.')) return encodeAs(schema, value);
  const internal = internalStruct(schema, value);
  const all = internalFields(schema);
  // The kind of an object is empty in its internal form, and then omitted.
  const isObject = all.some(({ goName }) => goName === 'ObjectMeta');
  const fields = all.flatMap(field => {
    if (isObject && ['Kind', 'APIVersion'].includes(field.goName)) return [];
    const text = fieldText(field, internal.get(field.name));
    if (field.goName !== 'ObjectMeta') return [`${goString(field.goName)}:${text}`];
    // An embedded struct without a tag: its fields belong to the outer struct.
    return text === '{}' ? [] : [text.slice(1, -1)];
  });
  return `{${fields.join(',')}}`;
}

function fieldText({ schema, pointer }: FieldSchema, value: Value | undefined): string {
  return pointer && (value === undefined || value === null) ? 'null' : goValueText(schema, value);
}

function mapText(values: Schema, value: ValueMap): string {
  const keys = [...value.keys()].sort(compareKeys);
  return `{${keys.map(key => `${goString(key)}:${goValueText(values, value.get(key))}`).join(',')}}`;
}

function zeroText(schema: Schema): string {
  if (schema.type !== 'leaf') return 'null';
  const zeros: Readonly<Record<string, string>> = {
    string: '""',
    bool: 'false',
    int32: '0',
    int64: '0',
    float64: '0',
    intorstring: '0',
    quantity: '"0"',
    duration: '"0s"',
  };
  return zeros[schema.leaf] ?? 'null';
}

/** Pointers of the versioned type that are values in the internal one, by struct and field. */
const plain: Readonly<Record<string, readonly string[]>> = {
  'apps/v1.RollingUpdateDeployment': ['maxUnavailable', 'maxSurge'],
  'apps/v1.RollingUpdateDaemonSet': ['maxUnavailable', 'maxSurge'],
  'apps/v1.RollingUpdateStatefulSetStrategy': ['partition'],
  'core/v1.ServiceAccountTokenProjection': ['expirationSeconds'],
  'flowcontrol/v1.LimitedPriorityLevelConfiguration': ['nominalConcurrencyShares'],
};

const persistentSources = { quobyte: 'rbd', flexVolume: 'iscsi', local: 'scaleIO' };

/** Fields at another position in the internal type, with the field they follow. */
const behind: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'core/v1.Volume': { quobyte: 'rbd' },
  'core/v1.PodSpec': { setHostnameAsFQDN: 'subdomain', preemptionPolicy: 'priority', overhead: 'runtimeClassName' },
  'core/v1.PodSecurityContext': { fsGroupChangePolicy: 'fsGroup' },
  'core/v1.PersistentVolumeSpec': persistentSources,
  'core/v1.PersistentVolumeSource': persistentSources,
  'storage/v1.CSIDriverSpec': { fsGroupPolicy: 'attachRequired', requiresRepublish: 'tokenRequests' },
};

/** Fields that are part of the pod's security context in the internal type. Source: kubernetes pkg/apis/core/v1/conversion.go. */
const ofTheHost: readonly string[] = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];

/** Fields that the internal type lacks: it has one name for the service account. */
const absent: ReadonlySet<string> = new Set([...ofTheHost, 'serviceAccount']);

/** Returns a struct's fields as in its internal type. Source: kubernetes pkg/apis/core/types.go and its siblings, beside k8s.io/api. */
function internalFields({ name, fields, server }: StructSchema): readonly FieldSchema[] {
  if (server.since('v1.37')) {
    // Most internal types have the order of the versioned ones.
    const values = name === 'core/v1.ServiceAccountTokenProjection' ? [] : (ownMember(plain, name) ?? []);
    return values.length === 0 ? fields : fields.map(field => (values.includes(field.name) ? { ...field, pointer: false } : field));
  }
  const known = name === 'core/v1.PodSpec' ? fields.filter(field => !absent.has(field.name)) : fields;
  const own = name === 'core/v1.PodSecurityContext' ? [...hostFields(server), ...known] : known;
  const values = ownMember(plain, name) ?? [];
  const shown = values.length === 0 ? own : own.map(field => (values.includes(field.name) ? { ...field, pointer: false } : field));
  return Object.entries(ownMember(behind, name) ?? {}).reduce((all, [field, other]) => moved(all, field, other), shown);
}

/** Returns a struct's value with fields at their place in the internal type. */
function internalStruct({ name, server }: StructSchema, value: ValueMap): ValueMap {
  if (name !== 'core/v1.PodSpec' || server.since('v1.37')) return value;
  const host = ofTheHost.flatMap(key => (value.has(key) ? [[key, value.get(key) ?? null] as const] : []));
  const context = value.get('securityContext');
  if (host.length === 0) return value;
  return new Map([...value, ['securityContext', new Map([...(context instanceof Map ? context : []), ...host])]]);
}

function hostFields(server: ApiServer): FieldSchema[] {
  const { fieldsByName } = structNamed(server, 'core/v1.PodSpec');
  return ofTheHost.flatMap(name => fieldsByName.get(name) ?? []);
}

function moved(fields: readonly FieldSchema[], name: string, other: string): readonly FieldSchema[] {
  const field = fields.find(one => one.name === name);
  if (field === undefined) return fields;
  return fields.filter(one => one !== field).flatMap(one => (one.name === other ? [one, field] : [one]));
}
