import { describe, expect, it } from 'vitest';
import { write } from '../support/written-object.js';

const mergePatch = 'application/merge-patch+json';
const minors = ['v1.36', 'v1.37', 'v1.38'] as const;

/** Statuses in v1.36, v1.37 and v1.38 of a merge patch of a stored object. */
async function statuses(path: string, stored: object, patch: object): Promise<number[]> {
  const answers = await Promise.all(
    minors.map(kubernetesVersion => write({ path, stored, object: patch, patchType: mergePatch, kubernetesVersion })),
  );
  return answers.map(({ status }) => status);
}

const label = { metadata: { labels: { a: 'b' } } };

describe('a quota with an amount that is not accepted any more', () => {
  const quotaOf = (hard: object, status: object = {}): object => ({
    ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q', namespace: 'n', uid: 'u', resourceVersion: '1' } },
    ...{ spec: { hard }, status },
  });
  const path = '/api/v1/namespaces/n/resourcequotas/q';

  it('can be updated since v1.38 while the amount stays', async () => {
    expect(await statuses(path, quotaOf({ pods: '-1' }), label)).toEqual([422, 422, 200]);
    expect(await statuses(path, quotaOf({ pods: '500m' }), { spec: { hard: { services: '3' } } })).toEqual([422, 422, 200]);
    expect(await statuses(path, quotaOf({ pods: '500m' }), { spec: { hard: { pods: '0.5' } } })).toEqual([422, 422, 200]);
    expect(await statuses(path, quotaOf({ pods: '500m' }), { spec: { hard: { pods: '501m' } } })).toEqual([422, 422, 422]);
  });

  it('can get it in its status since v1.38, where the spec or the status has it', async () => {
    const stored = quotaOf({ pods: '-1' }, { hard: { services: '-2' } });
    expect(await statuses(`${path}/status`, stored, { status: { hard: { pods: '-1' } } })).toEqual([422, 422, 200]);
    expect(await statuses(`${path}/status`, stored, { status: { used: { pods: '-1' } } })).toEqual([422, 422, 422]);
  });
});

describe('a resource slice with a device that is not accepted any more', () => {
  const sliceOf = (...devices: object[]): object => ({
    ...{ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: 's', uid: 'u', resourceVersion: '1', generation: 1 } },
    spec: { driver: 'd.example.com', nodeName: 'n', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, devices },
  });
  const path = '/apis/resource.k8s.io/v1/resourceslices/s';
  const more = { name: 'new' };

  it('can be updated since v1.38 while the devices stay', async () => {
    const wrong = { name: 'Bad Name' };
    expect(await statuses(path, sliceOf(wrong), label)).toEqual([422, 422, 200]);
    expect(await statuses(path, sliceOf(wrong), { spec: { pool: { generation: 2 } } })).toEqual([422, 422, 200]);
    expect(await statuses(path, sliceOf(wrong), { spec: { devices: [wrong, more] } })).toEqual([422, 422, 422]);
  });

  it('keeps its taints, and in v1.37 its capacity, when other devices change', async () => {
    const tainted = { name: 'a', taints: [{ key: 'b b', effect: 'NoSchedule', timeAdded: '2026-01-01T00:00:00Z' }] };
    expect(await statuses(path, sliceOf(tainted), { spec: { devices: [more, tainted] } })).toEqual([200, 200, 422]);
    const limited = { name: 'a', capacity: { mem: { value: '1', requestPolicy: { default: '2', validValues: ['3'] } } } };
    expect(await statuses(path, sliceOf(limited), { spec: { devices: [more, limited] } })).toEqual([422, 200, 422]);
  });

  it('has nodes for each device only if the slice says so, since v1.38 also where the devices stay', async () => {
    const placed = { name: 'a', nodeName: 'n' };
    expect(await statuses(path, sliceOf(placed), label)).toEqual([422, 422, 200]);
    const perDevice = { spec: { nodeName: null, perDeviceNodeSelection: true } };
    const { message } = await write({ path, stored: sliceOf(more), object: perDevice, patchType: mergePatch, kubernetesVersion: 'v1.38' });
    expect(message).toContain('spec.devices[0]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required');
  });

  it('has at most 48 values of attributes in a device, and 64 devices with lists', async () => {
    const ints = [1, 2, 3, 4, 5, 6, 7];
    const attributes = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(name => [name, { ints }]));
    const flags = ['--feature-gates=DRAListTypeAttributes=true'];
    const path = '/apis/resource.k8s.io/v1/resourceslices';
    const messageFor = async (...devices: object[]): Promise<string | undefined> =>
      (await write({ path, object: { ...sliceOf(...devices), metadata: { name: 's' } }, kubernetesVersion: 'v1.38', flags })).message;
    expect(await messageFor({ name: 'a', attributes })).toContain(
      'spec.devices[0]: Invalid value: 49: the total number of attribute values must not exceed 48',
    );
    const devices = Array.from({ length: 65 }, (_, i) => ({ name: `d${i}` }));
    expect(await messageFor(...devices)).toBeUndefined();
    expect(await messageFor(...devices.slice(1), { name: 'a', attributes: { a: { ints } } })).toContain(
      'spec.devices: Too many: 65: must have at most 64 items',
    );
  });
});

describe('a rule that a change of its own brings', () => {
  it('gives another effect of a taint rule a new time, and a new rule no status', async () => {
    const taint = { key: 'k', effect: 'NoSchedule', timeAdded: '2025-01-01T00:00:00Z' };
    const stored = {
      ...{ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceTaintRule', metadata: { name: 'r', uid: 'u', resourceVersion: '1' } },
      spec: { deviceSelector: { driver: 'd.example.com' }, taint },
    };
    const path = '/apis/resource.k8s.io/v1/devicetaintrules';
    const patched = async (change: object): Promise<string> => {
      const object = { spec: { taint: change } };
      return (await write({ path: `${path}/r`, stored, object, patchType: mergePatch, kubernetesVersion: 'v1.38' })).body.spec.taint
        .timeAdded;
    };
    expect(await patched({ effect: 'NoExecute' })).toBe('2026-01-02T03:04:05Z');
    expect(await patched({ value: 'v' })).toBe(taint.timeAdded);
    const status = { conditions: [{ type: 'A', status: 'Wrong', reason: 'R', message: '', lastTransitionTime: taint.timeAdded }] };
    const created = await write({ path, object: { ...stored, metadata: { name: 'r' }, status }, kubernetesVersion: 'v1.38' });
    expect([created.status, created.body.status]).toEqual([201, {}]);
  });

  it('refuses a Deployment that is rolled back to a negative revision', async () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const metadata = { name: 'd', annotations: { 'deprecated.deployment.rollback.to': '-1' } };
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector: { matchLabels: { a: 'b' } }, template } };
    expect((await write({ path: '/apis/apps/v1/namespaces/n/deployments', object })).message).toBe(
      'Deployment.apps "d" is invalid: spec.rollback.version: Invalid value: -1: must be greater than or equal to 0',
    );
  });

  it('shows the errors of a Binding in order, and checks the name of nodes alone', async () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1' }, spec: {} };
    const message = async (target: object, metadata: object): Promise<string | undefined> => {
      const object = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p', ...metadata }, target };
      const path = '/api/v1/namespaces/n/pods/p/binding';
      return (await write({ path, object, around: [pod], kubernetesVersion: 'v1.38' })).message;
    };
    expect(await message({ kind: 'X', name: 'N N' }, {})).toBe('target.kind: Unsupported value: "X": supported values: "Node", "<empty>"');
    expect(await message({ kind: 'X' }, { annotations: { 'a b': 'c' } })).toMatch(
      /^\[target\.kind: .*, target\.name: Required value, metadata\.annotations: /,
    );
  });
});

describe('the uid of a custom resource', () => {
  it('is refused by both validations since v1.38', async () => {
    const schema = { openAPIV3Schema: { type: 'object' } };
    const crd = {
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'things.example.com' } },
      spec: {
        ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' } },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    const metadata = { name: 't', namespace: 'n', uid: 'u', resourceVersion: '1' };
    const stored = { apiVersion: 'example.com/v1', kind: 'Thing', metadata };
    const answers = await Promise.all(
      (['v1.37', 'v1.38'] as const).map(kubernetesVersion =>
        write({
          path: '/apis/example.com/v1/namespaces/n/things/t',
          stored,
          around: [crd],
          object: { metadata: { uid: 'other' } },
          patchType: mergePatch,
          kubernetesVersion,
        }),
      ),
    );
    const byHand = 'metadata.uid: Invalid value: "other": field is immutable';
    expect(answers.map(({ message }) => message)).toEqual([
      `Thing.example.com "t" is invalid: ${byHand}`,
      `Thing.example.com "t" is invalid: [${byHand}, metadata.uid: Invalid value: null: field is immutable]`,
    ]);
  });
});
