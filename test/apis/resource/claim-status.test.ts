import { expect, it } from 'vitest';
import type { KubernetesMinor } from '../../../src/kubernetes/kubernetes-version.js';
import { write } from '../../support/written-object.js';

const metadata = { name: 'c', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-02T03:04:05Z' };
const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'd', allocationMode: 'ExactCount', count: 1 } }] } };
const claim = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata, spec };
const result = { request: 'r', driver: 'd.example.com', pool: 'p', device: 'd' };
const allocation = { devices: { results: [result] } };
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } };

async function written(status: object, before: object = {}, kubernetesVersion: KubernetesMinor = 'v1.36') {
  const path = '/apis/resource.k8s.io/v1/namespaces/n/resourceclaims/c/status';
  const answer = await write({
    path,
    stored: { ...claim, status: before },
    object: { ...claim, status },
    around: [namespace],
    kubernetesVersion,
  });
  const causes: { field: string; message: string }[] = answer.body.details?.causes ?? [];
  return { ...answer, messages: causes.map(({ field, message }) => `${field}: ${message}`) };
}

it('a claim is allocated and reserved', async () => {
  const status = {
    allocation,
    reservedFor: [{ resource: 'pods', name: 'p', uid: 'x' }],
    devices: [{ driver: 'd.example.com', pool: 'p', device: 'd' }],
  };
  const { body, messages } = await written(status);
  expect(messages).toEqual([]);
  expect(body.status.devices).toHaveLength(1);
});

it.each([
  [
    { reservedFor: [{ resource: 'pods', name: 'p', uid: 'x' }] },
    ['status.reservedFor: Forbidden: may not be specified when `allocated` is not set'],
  ],
  [
    { allocation: { devices: { results: [{ ...result, request: 'q', shareID: 'X' }], config: [{ source: 'Y' }] } } },
    [
      'status.allocation.devices.results[0].request: Invalid value: "q": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
      'status.allocation.devices.results[0].shareID: Invalid value: "X": error validating uid: invalid UUID length: 1',
      'status.allocation.devices.config[0].source: Unsupported value: "Y": supported values: "FromClaim", "FromClass"',
      'status.allocation.devices.config[0].opaque: Required value',
    ],
  ],
  [
    { devices: [{ driver: 'd.example.com', pool: 'p', device: 'e', networkData: { ips: ['10.0.0.1', 'fd00:0::1/64'] } }] },
    [
      'status.devices[0]: Invalid value: {"Driver":"d.example.com","Pool":"p","Device":"e","ShareID":""}: must be an allocated device in the claim',
      'status.devices[0].networkData.ips[0]: Invalid value: "10.0.0.1": must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)',
      'status.devices[0].networkData.ips[1]: Invalid value: "fd00:0::1/64": must be in canonical form ("fd00::1/64")',
    ],
  ],
  [
    { allocation: { devices: { results: [{ ...result, adminAccess: true }] } } },
    [
      'status.allocation.devices.results[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace',
    ],
  ],
])('a status that is refused: %j', async (status, messages) => {
  expect((await written(status)).messages).toEqual(messages);
});

it('an allocation is immutable; the status of deallocated devices is dropped', async () => {
  const devices = [{ driver: 'd.example.com', pool: 'p', device: 'd' }];
  const other = { devices: { results: [{ ...result, device: 'e' }] } };
  expect((await written({ allocation: other }, { allocation })).messages[0]).toMatch(
    /^status\.allocation: Invalid value: .*: field is immutable$/,
  );
  expect((await written({ allocation: other }, { allocation }, 'v1.37')).messages).toEqual([
    'status.allocation: Invalid value: null: field cannot be modified once set',
  ]);
  expect((await written({ devices }, { allocation, devices })).body.status).toEqual({});
});

it('since v1.37 the name of a pool and the source of a configuration are refused by declarative validation, after the other errors', async () => {
  const status = { allocation: { devices: { results: [{ ...result, pool: 'p/X', device: 'D' }], config: [{ source: 'Y' }] } } };
  expect((await written(status, {}, 'v1.37')).messages.map(message => message.replace(/ must consist.*/, ''))).toEqual([
    'status.allocation.devices.results[0].device: Invalid value: "D": a lowercase RFC 1123 label',
    'status.allocation.devices.config[0].opaque: Required value',
    'status.allocation.devices.results[0].pool: Invalid value: "X": segment 1: a lowercase RFC 1123 subdomain',
    'status.allocation.devices.config[0].source: Unsupported value: "Y": supported values: "FromClaim", "FromClass"',
  ]);
});

it('since v1.38 consumed capacity has names of capacities, and amounts of zero or more', async () => {
  const consumed = (consumedCapacity: object) => ({ allocation: { devices: { results: [{ ...result, consumedCapacity }] } } });
  const field = 'status.allocation.devices.results[0].consumedCapacity';
  const refused = { '1x': '-1', 'a/b/c': '0', 'example.com/size': '1Gi' };
  expect((await written(consumed(refused), {}, 'v1.37')).messages).toEqual([]);
  expect((await written(consumed(refused), {}, 'v1.38')).messages.map(message => message.replace(/ must start.*/, ''))).toEqual([
    `${field}: Invalid value: "1x": a valid C identifier`,
    `${field}: Invalid value: "a/b/c": must not contain more than one slash`,
    `${field}[1x]: Invalid value: "-1": must be greater than or equal to 0`,
  ]);
  const many = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, '-1']));
  expect((await written(consumed(many), {}, 'v1.38')).messages).toEqual([`${field}: Too many: 33: must have at most 32 items`]);
});
