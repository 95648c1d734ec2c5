import type { ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { FieldSchema, StructSchema } from '../../../kubernetes/schema.js';
import { structNamed } from '../../../kubernetes/type-table.js';

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
export function internalFields({ name, fields, server }: StructSchema): readonly FieldSchema[] {
  if (server.since('v1.37')) {
    // Most internal types have the order of the versioned ones.
    const values = name === 'core/v1.ServiceAccountTokenProjection' ? [] : (plain[name] ?? []);
    return values.length === 0 ? fields : fields.map(field => (values.includes(field.name) ? { ...field, pointer: false } : field));
  }
  const known = name === 'core/v1.PodSpec' ? fields.filter(field => !absent.has(field.name)) : fields;
  const own = name === 'core/v1.PodSecurityContext' ? [...hostFields(server), ...known] : known;
  const values = plain[name] ?? [];
  const shown = values.length === 0 ? own : own.map(field => (values.includes(field.name) ? { ...field, pointer: false } : field));
  return Object.entries(behind[name] ?? {}).reduce((all, [field, other]) => moved(all, field, other), shown);
}

/** Returns a struct's value with fields at their place in the internal type. */
export function internalStruct({ name, server }: StructSchema, value: ValueMap): ValueMap {
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
