import { describe, expect, test } from 'vitest';
import { managerName } from '../../../../src/apiserver/handlers/record-managed-fields.js';
import { resetFields } from '../../../../src/apiserver/handlers/reset-fields.js';
import type { ApiObject } from '../../../../src/apiserver/objects/api-object.js';
import { builtInCodec } from '../../../../src/apiserver/objects/built-in-codec.js';
import { restoreManagedFields } from '../../../../src/apiserver/patches/managed-fields/after-admission.js';
import { applyConfiguration, updateLastApplied } from '../../../../src/apiserver/patches/managed-fields/apply.js';
import { builtInVersions } from '../../../../src/apiserver/patches/managed-fields/built-in-versions.js';
import { capUpdateManagers } from '../../../../src/apiserver/patches/managed-fields/cap-managers.js';
import { decodeManagedFields, encodeManagedFields, identifierOf } from '../../../../src/apiserver/patches/managed-fields/entries.js';
import { type FieldManager, updateManagedFields } from '../../../../src/apiserver/patches/managed-fields/field-manager.js';
import type { VersionedSet } from '../../../../src/apiserver/patches/managed-fields/managers.js';
import { ownersAfterScale, ownersOfScale } from '../../../../src/apiserver/patches/managed-fields/scale-owners.js';
import { fieldSet, pathOfElement } from '../../../../src/apiserver/patches/structured-merge/field-set.js';
import { writeFields } from '../../../../src/apiserver/patches/structured-merge/fields-v1.js';
import { writeValue } from '../../../../src/go/json/write.js';
import { isMap, isRawJson, stringAt, toValue, type Value, type ValueMap } from '../../../../src/go/value.js';
import { server } from '../../../support/server.js';

const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
const found = builtInCodec(server, kind);
if (found === undefined) throw new Error('no ConfigMap');
const codec = found;
const fields: FieldManager = {
  kind,
  subresource: '',
  codec,
  versions: builtInVersions(server, kind, [{ group: '', versions: ['v1'] }]),
  filter: set => set,
};

function configMap(data: Record<string, string> | undefined, managedFields?: readonly Value[]): ApiObject {
  const value = toValue({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', uid: 'u' },
    ...(data === undefined ? {} : { data }),
  });
  if (!isMap(value)) throw new Error('no object');
  const metadata = value.get('metadata');
  if (isMap(metadata) && managedFields !== undefined) metadata.set('managedFields', [...managedFields]);
  return { codec, value };
}

function body(data: object): ValueMap {
  const value = toValue({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, ...data });
  if (!isMap(value)) throw new Error('no object');
  return value;
}

/** `manager operation time fields`, one string per entry. */
function summary(entries: readonly Value[] | undefined): string[] {
  return (entries ?? []).map(entry => {
    const raw = isMap(entry) ? entry.get('fieldsV1') : undefined;
    const time = stringAt(entry, 'time') || '-';
    return `${stringAt(entry, 'manager')} ${stringAt(entry, 'operation')} ${time} ${isRawJson(raw) ? raw.rawJson : ''}`;
  });
}

const first = '2024-01-01T00:00:01Z';
const second = '2024-01-01T00:00:02Z';

describe('updateManagedFields', () => {
  test('makes the creator own fields that differ from the empty object', async () => {
    const entries = await updateManagedFields({ live: undefined, object: configMap({ a: 'b' }), manager: 'me', now: first }, fields);
    expect(summary(entries)).toEqual([`me Update ${first} {"f:data":{".":{},"f:a":{}}}`]);
  });

  test('makes the writer the owner of changed fields', async () => {
    const created = await updateManagedFields({ live: undefined, object: configMap({ a: 'b' }), manager: 'me', now: first }, fields);
    const change = { live: configMap({ a: 'b' }, created), object: configMap({ a: 'c', b: 'd' }), manager: 'bob', now: second };
    expect(summary(await updateManagedFields(change, fields))).toEqual([
      `me Update ${first} {"f:data":{}}`,
      `bob Update ${second} {"f:data":{"f:a":{},"f:b":{}}}`,
    ]);
  });

  test('keeps the time in a no-op update', async () => {
    const created = await updateManagedFields({ live: undefined, object: configMap({ a: 'b' }), manager: 'me', now: first }, fields);
    const change = { live: configMap({ a: 'b' }, created), object: configMap({ a: 'b' }, created), manager: 'me', now: second };
    expect(await updateManagedFields(change, fields)).toEqual(created);
  });

  test.each([[[]], [[new Map()]]])('resets the managers for %j', async reset => {
    const created = await updateManagedFields({ live: undefined, object: configMap({ a: 'b' }), manager: 'me', now: first }, fields);
    const change = { live: configMap({ a: 'b' }, created), object: configMap({ a: 'c' }, reset), manager: 'me', now: second };
    expect(await updateManagedFields(change, fields)).toBeUndefined();
  });

  test('does not start with an unowned object', async () => {
    const change = { live: configMap({ a: 'b' }), object: configMap({ a: 'c' }), manager: 'me', now: second };
    expect(await updateManagedFields(change, fields)).toBeUndefined();
  });
});

describe('applyConfiguration', () => {
  const apply = (live: ApiObject | undefined, data: object, more: Partial<{ manager: string; force: boolean }> = {}) =>
    applyConfiguration({ live, applied: body(data), manager: 'me', force: false, now: second, ...more }, fields);

  test('first assigns an owner to unowned fields', async () => {
    const result = await apply(configMap({ a: 'b' }), { data: { b: 'c' } });
    expect(result.object && writeValue(result.object.get('data') ?? null, 'sorted')).toBe('{"a":"b","b":"c"}');
    expect(summary(result.managedFields)).toEqual([
      `me Apply ${second} {"f:data":{"f:b":{}}}`,
      `before-first-apply Update ${second} {"f:data":{".":{},"f:a":{}}}`,
    ]);
  });

  test('removes fields that it applied before and nobody else owns', async () => {
    const before = (await apply(undefined, { data: { a: '1', b: '2' } })).managedFields;
    const result = await apply(configMap({ a: '1', b: '2' }, before), { data: { a: '1' } });
    expect(result.object && writeValue(result.object.get('data') ?? null, 'sorted')).toBe('{"a":"1"}');
  });

  test('has no time when it only shares ownership', async () => {
    const created = await updateManagedFields({ live: undefined, object: configMap({ a: 'b' }), manager: 'bob', now: first }, fields);
    const result = await apply(configMap({ a: 'b' }, created), { data: { a: 'b' } });
    expect(result.object).toBeUndefined();
    expect(summary(result.managedFields)).toEqual(['me Apply - {"f:data":{"f:a":{}}}', `bob Update ${first} {"f:data":{".":{},"f:a":{}}}`]);
  });

  test('rejects taking fields from others unless forced', async () => {
    const created = await updateManagedFields({ live: undefined, object: configMap({ a: 'b' }), manager: 'bob', now: first }, fields);
    const live = configMap({ a: 'b' }, created);
    await expect(apply(live, { data: { a: 'c' } })).rejects.toMatchObject({
      status: {
        code: 409,
        message: 'Apply failed with 1 conflict: conflict with "bob" using v1: .data.a',
        details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "bob" using v1', field: '.data.a' }] },
      },
    });
    expect(summary((await apply(live, { data: { a: 'c' } }, { force: true })).managedFields)).toEqual([
      `me Apply ${second} {"f:data":{"f:a":{}}}`,
      `bob Update ${first} {"f:data":{}}`,
    ]);
  });

  test.each([
    [{ kind: 'Secret' }, 'invalid object type: /v1, Kind=Secret'],
    [{ metadata: { managedFields: [] } }, 'metadata.managedFields must be nil'],
    [{ zz: 1 }, 'failed to create typed patch object (/c; /v1, Kind=ConfigMap): .zz: field not declared in schema'],
  ])('refuses a body with %j', async (data, message) => {
    await expect(apply(undefined, data)).rejects.toThrow(message);
  });
});

describe('entries', () => {
  test.each([
    [{ operation: 'x' }, 'operation must be `Apply` or `Update`'],
    [{ operation: 'Apply' }, 'apiVersion must not be empty'],
    [{ operation: 'Apply', apiVersion: 'v1' }, 'missing fieldsType in managed fields entry 0'],
    [{ operation: 'Apply', apiVersion: 'v1', fieldsType: 'x' }, 'invalid fieldsType "x" in managed fields entry 0'],
  ])('%j cannot be used', (entry, message) => {
    expect(() => decodeManagedFields([toValue(entry)])).toThrow(message);
  });

  test('restores them with a warning if a webhook makes them invalid', () => {
    const { value } = configMap({}, [toValue({ operation: 'x' })]);
    expect(restoreManagedFields(undefined, value)).toMatch(
      /in an invalid state after admission; .*: operation must be `Apply` or `Update`$/,
    );
    expect(writeValue(value.get('metadata') ?? null, 'kept')).toBe('{"name":"c","uid":"u"}');
  });

  test('more than ten updates become ancient changes', () => {
    const managers = new Map<string, VersionedSet>();
    const times = new Map<string, string>();
    for (let i = 0; i < 12; i += 1) {
      const id = identifierOf({ manager: `m${String(i).padStart(2, '0')}`, operation: 'Update', apiVersion: 'v1', subresource: '' });
      managers.set(id, { set: fieldSet(pathOfElement(`f${i}`)), apiVersion: 'v1', applied: false });
      times.set(id, `2024-01-01T00:00:${String(i).padStart(2, '0')}Z`);
    }
    const entries = encodeManagedFields(server, capUpdateManagers({ managers, times }));
    expect(entries).toHaveLength(10);
    expect(summary(entries)[0]).toBe('ancient-changes Update 2024-01-01T00:00:02Z {"f:f0":{},"f:f1":{},"f:f2":{}}');
  });
});

test('owners of a Scale are the owners of the replicas, and its changed owners are merged back', () => {
  const owned = {
    set: fieldSet(pathOfElement('spec', 'replicas'), pathOfElement('spec', 'paused')),
    apiVersion: 'apps/v1',
    applied: false,
  };
  const id = identifierOf({ manager: 'm', operation: 'Update', apiVersion: 'apps/v1', subresource: '' });
  const parent = { managers: new Map([[id, owned]]), times: new Map([[id, first]]) };
  const paths = new Map([['apps/v1', pathOfElement('spec', 'replicas')]]);
  expect(summary(encodeManagedFields(server, ownersOfScale(parent, paths)))).toEqual([`m Update ${first} {"f:spec":{"f:replicas":{}}}`]);
  const taker = identifierOf({ manager: 's', operation: 'Update', apiVersion: 'autoscaling/v1', subresource: 'scale' });
  const scale = {
    managers: new Map([[taker, { set: fieldSet(pathOfElement('spec', 'replicas')), apiVersion: 'autoscaling/v1', applied: false }]]),
    times: new Map(),
  };
  expect(summary(encodeManagedFields(server, ownersAfterScale(parent, scale, { apiVersion: 'apps/v1', paths })))).toEqual([
    's Update - {"f:spec":{"f:replicas":{}}}',
    `m Update ${first} {"f:spec":{"f:paused":{}}}`,
  ]);
});

test.each([
  ['me', 'kubectl/v1', 'me'],
  ['', 'kubectl/v1.36 (linux)', 'kubectl'],
  ['', 'a\u0001b', 'ab'],
  ['', 'Ã©'.repeat(100), 'é'.repeat(64)],
  ['', 'é/v1', '\ufffd'],
  ['', '/x', ''],
])('fieldManager %j and User-Agent %j name the manager %j', (fieldManager, userAgent, name) => {
  expect(managerName(fieldManager, userAgent)).toBe(name);
});

test.each([
  ['', 'pods', '', '{"f:metadata":{"f:labels":{},"f:ownerReferences":{}},"f:spec":{}}'],
  ['', 'pods', 'status', '{"f:metadata":{"f:labels":{}},"f:status":{}}'],
  ['apps', 'deployments', 'status', '{"f:metadata":{"f:ownerReferences":{}},"f:status":{}}'],
  ['storage.k8s.io', 'volumeattachments', 'status', '{"f:status":{}}'],
  ['certificates.k8s.io', 'podcertificaterequests', '', '{"f:metadata":{"f:labels":{},"f:ownerReferences":{}},"f:spec":{},"f:status":{}}'],
])('%s %s/%s owns only what it does not reset', (group, resource, subresource, left) => {
  const all = fieldSet(
    pathOfElement('metadata', 'labels'),
    pathOfElement('metadata', 'ownerReferences'),
    pathOfElement('spec'),
    pathOfElement('status'),
  );
  expect(writeFields(resetFields(server, { group, resource, subresource, custom: false, hasStatus: true })(all))).toBe(left);
});

test('the annotation of client-side apply follows kubectl', () => {
  const object = body({ metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } } });
  updateLastApplied(object, body({ data: { a: '1' } }), 'kubectl');
  expect(stringAt(object, 'metadata', 'annotations', 'kubectl.kubernetes.io/last-applied-configuration')).toBe(
    '{"apiVersion":"v1","data":{"a":"1"},"kind":"ConfigMap","metadata":{"name":"c"}}\n',
  );
});

describe('an owner in a version that the API server', () => {
  const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
  const codec = builtInCodec(server, kind);
  if (codec === undefined) throw new Error('no Deployment');
  const versions = builtInVersions(server, kind, [{ group: 'apps', versions: ['v1'] }]);
  const fields: FieldManager = { kind, subresource: '', codec, versions, filter: set => set };

  async function ownersWith(apiVersion: string): Promise<string[]> {
    const fieldsV1 = '{"f:spec":{"f:room":{}}}';
    const entry = `{"manager":"other","operation":"Update","apiVersion":"${apiVersion}","fieldsType":"FieldsV1","fieldsV1":${fieldsV1}}`;
    const text = `{"metadata":{"name":"d","managedFields":[${entry}]},"spec":{"paused":true}}`;
    const object = { codec: fields.codec, value: fields.codec.decode(text).value };
    return summary(await updateManagedFields({ live: undefined, object, manager: 'me', now: first }, fields)).map(line => line.slice(0, 9));
  }

  // Expected values are those of kube-apiserver v1.36.
  test.each([
    ['serves is kept', 'apps/v1', ['other Upd', 'me Update']],
    ['does not serve is removed', 'apps/v1beta1', ['me Update']],
    ['does not know is removed', 'example.com/v1', ['me Update']],
    ['cannot parse removes all owners', 'a/b/c', []],
  ])('%s: %s', async (_, apiVersion, owners) => {
    expect(await ownersWith(apiVersion)).toEqual(owners);
  });
});
