import { describe, expect, it } from 'vitest';
import type { KubernetesMinor } from '../../src/kubernetes/kubernetes-version.js';
import { write } from '../support/written-object.js';

const time = '2026-01-02T03:00:05Z';
const metadata = { name: 'a', uid: 'u', resourceVersion: '7', creationTimestamp: time };
const condition = (more: object = {}) => ({ type: 'A', status: 'True', reason: 'R', message: '', lastTransitionTime: time, ...more });
const many = Array.from({ length: 9 }, (_, i) => condition({ type: `T${i}` }));
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const qualified =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const kinds = {
  podgroups: {
    group: 'scheduling.k8s.io/v1alpha2/namespaces/n',
    spec: { schedulingPolicy: { basic: {} }, resourceClaims: [{ name: 'r1', resourceClaimName: 'x' }] },
    kind: 'PodGroup',
  },
  devicetaintrules: {
    group: 'resource.k8s.io/v1beta2',
    spec: { deviceSelector: { driver: 'd.example.com' }, taint: { key: 'example.com/k', effect: 'NoExecute', timeAdded: time } },
    kind: 'DeviceTaintRule',
  },
  storageversions: { group: 'internal.apiserver.k8s.io/v1alpha1', spec: {}, kind: 'StorageVersion' },
};

async function refusals(resource: keyof typeof kinds, status: object, kubernetesVersion: KubernetesMinor = 'v1.36'): Promise<string[]> {
  const { group, spec, kind } = kinds[resource];
  const namespace = group.endsWith('/n') ? { namespace: 'n' } : {};
  const name = resource === 'storageversions' ? 'example.com.widgets' : 'a';
  const stored = { apiVersion: group.replace('/namespaces/n', ''), kind, metadata: { ...metadata, ...namespace, name }, spec, status: {} };
  const {
    status: code,
    body,
    notes,
  } = await write({
    path: `/apis/${group}/${resource}/${name}/status`,
    stored,
    object: { ...stored, status },
    around: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } }],
    kubernetesVersion,
    flags: ['--runtime-config=api/all=true', '--feature-gates=AllAlpha=true,AllBeta=true'],
  });
  expect(notes.filter(note => note.includes('not reproduced'))).toEqual([]);
  const causes: { field: string; message: string }[] = body.details?.causes ?? [];
  expect([200, 422], JSON.stringify(body)).toContain(code);
  return causes.map(cause => `${cause.field}: ${cause.message}`);
}

describe('a status with conditions', () => {
  it.each(['podgroups', 'devicetaintrules'] as const)('of %s has valid ones', async resource => {
    expect(await refusals(resource, { conditions: [condition()] })).toEqual([]);
    expect(await refusals(resource, { conditions: [condition({ status: 'Maybe' })] })).toEqual([
      'status.conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
    ]);
    expect(await refusals(resource, { conditions: [condition({ observedGeneration: -1 })] })).toEqual([
      'status.conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero',
    ]);
    expect(await refusals(resource, { conditions: [condition(), condition()] })).toEqual([
      'status.conditions[1].type: Duplicate value: "A"',
    ]);
    expect(await refusals(resource, { conditions: [condition({ type: 'a b' })] })).toEqual([
      `status.conditions[0].type: Invalid value: "a b": ${qualified}`,
    ]);
  });

  it('has at most eight in taint rules, and any number in groups of pods', async () => {
    expect(await refusals('devicetaintrules', { conditions: many })).toEqual(['status.conditions: Too many: 9: must have at most 8 items']);
    expect(await refusals('podgroups', { conditions: many })).toEqual([]);
  });

  it('names the claims of a group of pods', async () => {
    expect(await refusals('podgroups', { resourceClaimStatuses: [{ name: 'r1', resourceClaimName: 'x' }] })).toEqual([]);
    expect(await refusals('podgroups', { resourceClaimStatuses: [{ name: 'r9', resourceClaimName: 'x y' }] })).toEqual([
      'status.resourceClaimStatuses[0].name: Invalid value: "r9": must match the name of an entry in `spec.resourceClaims`',
      `status.resourceClaimStatuses[0].resourceClaimName: Invalid value: "x y": ${subdomain}`,
    ]);
  });

  it('of a StorageVersion has conditions with a message, and versions that its servers can decode', async () => {
    const server = { apiServerID: 'a', encodingVersion: 'v1', decodableVersions: ['v1'], servedVersions: ['v1'] };
    expect(await refusals('storageversions', { conditions: [condition({ message: 'm' })] })).toEqual([]);
    expect(await refusals('storageversions', { conditions: [condition()] })).toEqual(['status[0].message: Required value']);
    expect(await refusals('storageversions', { storageVersions: [{ ...server, encodingVersion: 'v2' }] })).toEqual([
      'status.storageVersions[0].decodableVersions: Invalid value: ["v1"]: decodableVersions must include encodingVersion v2',
      'status.commonEncodingVersion: Invalid value: null: the common encoding version is v2',
    ]);
    expect(await refusals('storageversions', { storageVersions: [server], commonEncodingVersion: 'v2' })).toEqual([
      'status.commonEncodingVersion: Invalid value: "v2": the actual common encoding version is v1',
    ]);
  });
});
