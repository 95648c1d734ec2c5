import type { Random } from '../../random.js';
import { placed, withOptions } from '../base.js';
import { isObject, type Json, type JsonObject, type Scene } from '../scene.js';
import type { Seeds } from '../seeds.js';

const long = 'x'.repeat(253);
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };
const fields = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' };

const odd: Readonly<Record<string, readonly Json[]>> = {
  name: [
    ...['', 'A', 'a_b', 'a.b', '-a', 'a..b', 'x'.repeat(63), 'x'.repeat(64), long, `${long}x`, 'a/b', 'a%b', '.', '..', 'é', '1'],
    null,
    5,
  ],
  generateName: ['g-', 'G', 'g'.repeat(58), 'g'.repeat(260), '', 'a/', '.', 'é', null],
  namespace: ['other', '', 'A', null],
  labels: [
    ...[
      { a: 'b' },
      { '': 'x' },
      { 'a/b/c': '' },
      { 'A.b/C_d': 'x'.repeat(63) },
      { a: 'x'.repeat(64) },
      { a: '-x' },
      { [`${long}x/a`]: '' },
    ],
    ...[{ a: null }, { a: 5 }, { é: 'x' }, { a: 'é' }, { 'kubernetes.io/metadata.name': 'x' }, { '/a': '' }, { 'a/': '' }, null, []],
    ...[
      { b: '1', a: '2', A: '3', _: '' },
      { 'a b': 'c d', 'c d': 'e f', '-': '-' },
    ],
  ],
  annotations: [
    ...[
      { a: 'é\n\u0000' },
      { '': 'x' },
      { A_b: '' },
      { 'a/b/c': '' },
      { a: 'x'.repeat(300_000) },
      { ['x'.repeat(64)]: '' },
      { a: null },
      null,
    ],
    ...[{ 'UPPER.example.com/x': 'y' }, { 'a b': '' }, { 'kubectl.kubernetes.io/last-applied-configuration': '{}' }],
  ],
  finalizers: [
    ...[
      ['a/b'],
      ['kubernetes'],
      ['a'],
      ['orphan'],
      ['foregroundDeletion'],
      ['foregroundDeletion', 'orphan'],
      [''],
      ['a/b/c'],
      ['A/B'],
      null,
    ],
    ...[['a/b', 'a/b'], [null], ['x'.repeat(64)], [`${long}/x`], ['background', 'a.b/c']],
  ],
  ownerReferences: [
    ...[[owner], [{}], [{ ...owner, name: '', uid: '' }], [{ ...owner, kind: 'Event' }], [{ ...owner, apiVersion: 'a/b/c' }], null],
    [
      { ...owner, controller: true },
      { ...owner, uid: 'v', controller: true },
    ],
    ...[[owner, owner], [{ ...owner, blockOwnerDeletion: true, controller: false }], [{ kind: 'Pod', uid: 'u', unknown: 1 }]],
  ],
  managedFields: [
    ...[[], null, [{}], [{ ...fields, time: '2024-01-02T03:04:05Z', fieldsV1: { 'f:metadata': { 'f:labels': { 'f:a': {} } } } }]],
    ...[[{ ...fields, operation: 'Other' }], [{ ...fields, fieldsType: 'FieldsV2' }], [{ ...fields, manager: 'x'.repeat(200) }]],
    ...[
      [{ ...fields, manager: 'm\n' }],
      [{ ...fields, apiVersion: 'nope/v1', fieldsV1: { 'f:spec': {} } }],
      [{ ...fields, fieldsV1: { 'x:spec': {} } }],
    ],
    ...[[{ ...fields, subresource: 's'.repeat(257) }], [{ ...fields, fieldsV1: { 'f:none': {}, 'k:{"name":"c"}': {}, 'v:1': {} } }]],
  ],
  creationTimestamp: ['2024-01-02T03:04:05Z', '2024-01-02', null, 5, '', '2024-01-02T03:04:05.999Z'],
  deletionTimestamp: ['2024-01-02T03:04:05Z', null, 'x'],
  deletionGracePeriodSeconds: [0, 30, -1, null, '5'],
  uid: ['b7e6a2d0-0000-4000-8000-000000000002', '', 'x', null],
  resourceVersion: ['1', '', '0', 'x', null, '99999999'],
  generation: [7, -1, 0, null, 'x', 1.5],
  selfLink: ['/x', null],
  Name: ['x'],
  zzz: [1],
};

const options = [
  ...[`fieldManager=${'m'.repeat(128)}`, `fieldManager=${'m'.repeat(129)}`, 'fieldManager=a%09b', 'fieldManager=', 'fieldManager=%C3%A9'],
  ...[
    'fieldValidation=strict',
    'fieldValidation=',
    'dryRun=All&dryRun=All',
    'dryRun=None',
    'dryRun=',
    'unknown=x',
    'timeout=5s',
    'timeout=x',
  ],
];

/** Odd metadata in creations and updates. */
export function oddMetadata(r: Random, seeds: Seeds): Scene {
  const { manifest, collection, path, around } = placed(r, seeds);
  const given = isObject(manifest['metadata']) ? manifest['metadata'] : {};
  const names = Object.keys(odd).filter(name => around.length > 0 || (name !== 'name' && name !== 'generateName' && name !== 'namespace'));
  const metadata: JsonObject = { ...given };
  for (let i = 1 + r.below(3); i > 0; i -= 1) {
    const name = r.pick(names);
    metadata[name] = r.pick(odd[name] ?? []);
  }
  const body = { ...manifest, metadata };
  const target = (plain: string): string => (r.chance(12) ? `${plain}?${r.pick(options)}` : withOptions(r, plain));
  if (r.chance(55)) {
    const { generateName } = metadata;
    const isGenerated = typeof generateName === 'string' && r.chance(70);
    const { name: _name, ...nameless } = metadata;
    return {
      setup: around,
      call: { method: 'POST', path: target(collection), body: isGenerated ? { ...body, metadata: nameless } : body },
    };
  }
  const setup = [...around, { method: 'POST', path: collection, body: manifest }];
  return { setup, call: { method: 'PUT', path: target(path), body } };
}
