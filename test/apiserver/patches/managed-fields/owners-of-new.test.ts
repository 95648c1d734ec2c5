import { expect, it } from 'vitest';
import { resetFields } from '../../../../src/apiserver/handlers/reset-fields.js';
import { builtInCodec } from '../../../../src/apiserver/objects/built-in-codec.js';
import { builtInVersions } from '../../../../src/apiserver/patches/managed-fields/built-in-versions.js';
import { encodeManagedFields } from '../../../../src/apiserver/patches/managed-fields/entries.js';
import {
  type FieldManager,
  jsonOfObject,
  trackUpdate,
  updateManagedFields,
} from '../../../../src/apiserver/patches/managed-fields/field-manager.js';
import { nothingManaged } from '../../../../src/apiserver/patches/managed-fields/managers.js';
import { computeOwnersOfNew } from '../../../../src/apiserver/patches/managed-fields/owners-of-new.js';
import type { FieldSet } from '../../../../src/apiserver/patches/structured-merge/field-set.js';
import { SchemaError } from '../../../../src/apiserver/patches/structured-merge/validate.js';
import { seededRandom } from '../../../../src/cli/shell/effects.js';
import { writeValue } from '../../../../src/go/json/write.js';
import { isList, isMap, toValue, type Value, type ValueMap } from '../../../../src/go/value.js';
import { server } from '../../../support/server.js';

const container = { name: 'app', image: 'nginx:1', ports: [{ containerPort: 80, protocol: 'TCP' }], env: [{ name: 'A', value: 'x' }] };
const metadata = {
  name: 'web',
  creationTimestamp: '2026-01-02T03:04:05Z',
  labels: { app: 'web' },
  annotations: { 'a{b': 'c' },
  finalizers: ['example.com/a', 'example.com/b'],
};
const pod = {
  containers: [
    container,
    { ...container, name: 'side', resources: { limits: { cpu: '1', memory: 0 } }, lifecycle: { preStop: { sleep: { seconds: 0 } } } },
  ],
  overhead: { cpu: '0' },
  tolerations: [{ key: 'a', operator: 'Exists' }],
  volumes: [{ name: 'v', emptyDir: {} }],
  hostNetwork: true,
};
const starts: readonly (readonly [group: string, version: string, kind: string, resource: string, members: object])[] = [
  [
    '',
    'v1',
    'Pod',
    'pods',
    { spec: pod, status: { phase: 'Running', startTime: '2026-01-02T03:04:05Z', conditions: [{ type: 'a', lastProbeTime: null }] } },
  ],
  [
    'apps',
    'v1',
    'Deployment',
    'deployments',
    { spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: { metadata, spec: pod } } },
  ],
  [
    '',
    'v1',
    'Service',
    'services',
    { spec: { ports: [{ port: 80, protocol: 'TCP', name: 'a' }], selector: { app: 'web' }, clusterIPs: ['1'] } },
  ],
  ['', 'v1', 'ConfigMap', 'configmaps', { data: { a: '1', 'b.c': '' }, immutable: false }],
  ['networking.k8s.io', 'v1', 'Ingress', 'ingresses', { spec: { tls: [{ hosts: ['a'] }], rules: [{ host: 'a', http: { paths: [] } }] } }],
];

/** Changes a random part: removes it, makes it zero or another value, or repeats an item. */
function change(value: Value, random: () => number): Value {
  if (isMap(value) && value.size > 0 && random() < 0.9) {
    const [key, member] = [...value][Math.floor(random() * value.size)] ?? ['', null];
    const changed = new Map(value);
    if (random() < 0.15) changed.delete(key);
    else changed.set(random() < 0.1 ? `${key}2` : key, change(member, random));
    return changed;
  }
  if (isList(value) && value.length > 0 && random() < 0.9) {
    const at = Math.floor(random() * value.length);
    const item = value[at] ?? null;
    return random() < 0.2 ? [...value, item] : value.map((each, i) => (i === at ? change(item, random) : each));
  }
  const others: readonly Value[] = [null, '', 'other', 'x', '0', '0s', '0001-01-01T00:00:00Z', '-0', 0n, 7n, true, false, [], new Map()];
  return others[Math.floor(random() * others.length)] ?? null;
}

it('new objects of one shape get the owners that each of them would get without the others', async () => {
  const random = seededRandom(43);
  let compared = 0;
  for (let round = 0; round < 3000; round += 1) {
    const [group, version, kindName, resource, members] = starts[round % starts.length] ?? (starts[0] as (typeof starts)[number]);
    const kind = { group, version, kind: kindName };
    const codec = builtInCodec(server, kind);
    if (codec === undefined) throw new Error(`no ${kindName}`);
    const fields: FieldManager = {
      kind,
      subresource: '',
      codec,
      versions: builtInVersions(server, kind, [{ group, versions: [version] }]),
      filter: resetFields(server, { group, resource, custom: false, subresource: '', hasStatus: kindName !== 'ConfigMap' }),
    };
    let document = toValue({
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind: kindName,
      metadata,
      ...members,
    }) as ValueMap;
    for (let changes = Math.floor(random() * 4); changes > 0; changes -= 1) document = change(document, random) as ValueMap;
    let value: ValueMap;
    try {
      ({ value } = codec.decode(writeValue(document, 'kept')));
    } catch {
      continue;
    }
    const update = { live: undefined, object: { codec, value }, manager: 'me', now: '2026-01-02T03:04:05Z' };
    const made = await updateManagedFields(update, fields);
    const alone = await ownersAlone(update, fields);
    expect(made?.map(entry => writeValue(entry, 'kept'))).toEqual(alone);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(1400);
});

async function ownersAlone(
  { object, manager, now }: Pick<Parameters<typeof updateManagedFields>[0], 'object' | 'manager' | 'now'>,
  fields: FieldManager,
): Promise<string[] | undefined> {
  const json = { live: jsonOfObject(undefined, fields.codec), object: jsonOfObject(object, fields.codec, { rawTexts: 'as bytes' }) };
  try {
    const tracked = await trackUpdate({ ...json, managed: nothingManaged, manager, now }, fields);
    return encodeManagedFields(server, tracked)?.map(entry => writeValue(entry, 'kept'));
  } catch (error) {
    if (error instanceof SchemaError) return undefined;
    throw error;
  }
}

it('owners are computed again only after more shapes than are kept', async () => {
  const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
  const codec = builtInCodec(server, kind);
  if (codec === undefined) throw new Error('no ConfigMap');
  let computed = 0;
  const endpoint = { codec, kind, versions: builtInVersions(server, kind, []), filter: (set: FieldSet) => set };
  const ownersOf = (name: string) =>
    computeOwnersOfNew({ codec, value: new Map([['data', new Map([[name, 'x']])]]) }, endpoint, async () => {
      computed += 1;
      return new Map();
    });
  for (let i = 0; i < 256; i += 1) await ownersOf(`a${i}`);
  for (let i = 0; i < 256; i += 1) await ownersOf(`a${i}`);
  expect(computed).toBe(256);
  await ownersOf('another');
  await ownersOf('a0');
  expect(computed).toBe(258);
});
