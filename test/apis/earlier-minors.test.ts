import { describe, expect, it } from 'vitest';
import type { KubernetesMinor } from '../../src/kubernetes/kubernetes-version.js';
import { write } from '../support/written-object.js';

const minors = ['v1.34', 'v1.35', 'v1.36'] as const;

/** An update, and how many causes each of its fields has, by minor. Recorded from v1.34.4, v1.35.4 and v1.36.3. */
interface Update {
  readonly path: string;
  readonly stored: object;
  readonly change: object;
  readonly causes: Readonly<Record<(typeof minors)[number], readonly string[]>>;
}

async function causesOf({ path, stored, change }: Update, kubernetesVersion: KubernetesMinor): Promise<string[]> {
  const { body } = await write({ path, stored, object: change, patchType: 'application/merge-patch+json', kubernetesVersion });
  return (body.details?.causes ?? []).map(({ field, message }: { field: string; message: string }) => `${field}: ${message}`);
}

const driver = { name: 'd', nodeID: 'x', topologyKeys: ['a'], allocatable: { count: 1 } };
const csiNode = {
  path: '/apis/storage.k8s.io/v1/csinodes/n',
  stored: { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name: 'n', resourceVersion: '5' }, spec: { drivers: [driver] } },
};
const storageClass = {
  path: '/apis/storage.k8s.io/v1/storageclasses/n',
  stored: {
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'n', resourceVersion: '5' }, provisioner: 'a.b/c' },
    ...{ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  },
};
const runtimeClass = {
  path: '/apis/node.k8s.io/v1/runtimeclasses/n',
  stored: { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'n', resourceVersion: '5' }, handler: 'h' },
};
const attachment = {
  path: '/apis/storage.k8s.io/v1/volumeattachments/n',
  stored: {
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'n', resourceVersion: '5' } },
    spec: { attacher: 'a.b', nodeName: 'n', source: { persistentVolumeName: 'pv' } },
  },
};
const negative = 'spec.drivers[0].allocatable.count: Invalid value: -2: must be greater than or equal to 0';
const fixedDriver = (count: string): string =>
  `spec.drivers: Invalid value: {"Name":"d","NodeID":"x","TopologyKeys":["a"],"Allocatable":{"Count":${count}}}: field is immutable`;
const label =
  "Invalid value: \"\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const fixedAttachment =
  'spec: Invalid value: {"Attacher":"a.b","Source":{"PersistentVolumeName":"A b","InlineVolumeSpec":null},"NodeName":"n"}: field is immutable';
const volumeName =
  "spec.source.persistentVolumeName: Invalid value: \"A b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const updates: readonly (readonly [what: string, update: Update])[] = [
  [
    'the volume limit of a CSINode',
    {
      ...csiNode,
      change: { spec: { drivers: [{ ...driver, allocatable: { count: 2 } }] } },
      causes: { 'v1.34': [fixedDriver('2')], 'v1.35': [], 'v1.36': [] },
    },
  ],
  [
    'an invalid volume limit of a CSINode',
    {
      ...csiNode,
      change: { spec: { drivers: [{ ...driver, allocatable: { count: -2 } }] } },
      causes: { 'v1.34': [negative, negative, fixedDriver('-2')], 'v1.35': [negative, negative], 'v1.36': [negative] },
    },
  ],
  [
    'the provisioner of a StorageClass',
    {
      ...storageClass,
      change: { provisioner: 'b.c/d' },
      causes: {
        'v1.34': ['provisioner: Forbidden: updates to provisioner are forbidden.'],
        'v1.35': ['provisioner: Forbidden: updates to provisioner are forbidden.'],
        'v1.36': ['provisioner: Invalid value: "b.c/d": field is immutable'],
      },
    },
  ],
  [
    'the handler of a RuntimeClass',
    {
      ...runtimeClass,
      change: { handler: '' },
      causes: {
        'v1.34': [`handler: ${label}`, 'handler: Invalid value: "": field is immutable'],
        'v1.35': [`handler: ${label}`, 'handler: Invalid value: "": field is immutable'],
        'v1.36': ['handler: Required value', 'handler: Invalid value: "": field is immutable'],
      },
    },
  ],
  [
    'the volume of a VolumeAttachment',
    {
      ...attachment,
      change: { spec: { source: { persistentVolumeName: 'A b' } } },
      causes: { 'v1.34': [fixedAttachment], 'v1.35': [fixedAttachment], 'v1.36': [volumeName, fixedAttachment] },
    },
  ],
];

describe.each(updates)('an update of %s', (_, update) => {
  it.each(minors)('has the errors of %s', async minor => {
    expect(await causesOf(update, minor)).toEqual(update.causes[minor]);
  });
});

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { count: { type: 'integer', format: 'int32', maximum: 1e19 } } },
              status: { type: 'object', properties: { phase: { type: 'string' } } },
            },
          },
        },
      },
    ],
  },
};
const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
const belowMin = 'spec.count: Invalid value: 5: spec.count in body should be less than or equal to -9223372036854775808';

describe('a custom resource', () => {
  it.each([
    ['v1.34', [belowMin]],
    ['v1.35', [belowMin]],
    ['v1.36', ['<nil>: Invalid value: "": Maximum boundary value must be of type integer with format int32 in spec.count']],
  ] as const)('compares numbers with limits outside their format as %s does', async (kubernetesVersion, expected) => {
    const object = { ...widget, spec: { count: 5 } };
    const { body } = await write({ path: '/apis/example.com/v1/widgets', object, around: [definition], kubernetesVersion });
    const causes: { field: string; message: string }[] = body.details.causes;
    expect(causes.map(({ field, message }) => `${field}: ${message}`).filter(cause => !cause.includes('not checked'))).toEqual(expected);
  });

  it.each([
    ['v1.34', true],
    ['v1.35', true],
    ['v1.36', false],
  ] as const)('in %s, managed fields of status writes contain metadata: %s', async (kubernetesVersion, owned) => {
    const { body } = await write({
      path: '/apis/example.com/v1/widgets/w/status?fieldManager=f',
      object: { metadata: { labels: { a: 'b' } }, status: { phase: 'x' } },
      stored: { ...widget, metadata: { name: 'w', resourceVersion: '5' } },
      around: [definition],
      patchType: 'application/merge-patch+json',
      kubernetesVersion,
    });
    expect('f:metadata' in body.metadata.managedFields.at(-1).fieldsV1).toBe(owned);
  });
});

describe('generateName of a DeviceClass', () => {
  it.each([
    ['v1.34', 422],
    ['v1.35', 201],
    ['v1.36', 201],
  ] as const)('is validated as %s does', async (kubernetesVersion, status) => {
    const object = { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'c', generateName: '.' }, spec: {} };
    expect(await write({ path: '/apis/resource.k8s.io/v1/deviceclasses', object, kubernetesVersion })).toMatchObject({ status });
  });
});

describe('a resize of a pod', () => {
  it.each([
    ['v1.34', undefined],
    ['v1.35', 'spec'],
    ['v1.36', 'spec'],
  ] as const)('with other resources of a container that had none is compared as %s does', async (kubernetesVersion, field) => {
    const resources = { limits: { 'example.com/gpu': '1' }, requests: { 'example.com/gpu': '1' } };
    const pod = (container: object): object => ({
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '5' } },
      spec: { containers: [{ name: 'c', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always', ...container }] },
    });
    const path = '/api/v1/namespaces/n/pods/p/resize';
    const { status, body } = await write({ path, stored: pod({}), object: pod({ resources }), kubernetesVersion });
    expect([status, body.details?.causes[0].field]).toEqual([field === undefined ? 200 : 422, field]);
  });
});

describe('a Node', () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { declaredFeatures: ['A'] } };

  it.each([
    ['v1.34', undefined, undefined],
    ['v1.35', undefined, ['A']],
    ['v1.36', ['A'], ['A']],
  ] as const)('keeps declared features as %s does: in a new node %s, in its status %s', async (kubernetesVersion, created, updated) => {
    const { body } = await write({ path: '/api/v1/nodes', object: node, kubernetesVersion });
    expect(body.status.declaredFeatures).toEqual(created);
    const stored = { ...node, metadata: { name: 'n', uid: 'u', resourceVersion: '5' }, status: {} };
    const change = { path: '/api/v1/nodes/n/status', stored, object: node, patchType: 'application/merge-patch+json' };
    expect((await write({ ...change, kubernetesVersion })).body.status.declaredFeatures).toEqual(updated);
  });
});

describe('a RuntimeClass', () => {
  it.each([
    ['v1.34', 'scheduling.tolerations.tolerations[0].operator'],
    ['v1.35', 'scheduling.tolerations[0].operator'],
    ['v1.36', 'scheduling.tolerations[0].operator'],
  ] as const)('names its tolerations as %s does', async (kubernetesVersion, field) => {
    const scheduling = { tolerations: [{ effect: 'NoSchedule' }] };
    const object = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'n' }, handler: 'h', scheduling };
    const { body } = await write({ path: '/apis/node.k8s.io/v1/runtimeclasses', object, kubernetesVersion });
    expect(body.details.causes.map((cause: { readonly field: string }) => cause.field)).toEqual([field]);
  });
});

describe('a ResourceSlice', () => {
  it.each([
    ['v1.34', []],
    ['v1.35', ['spec.driver: driver names should be lowercase; "Abc.example.com" contains uppercase characters']],
    ['v1.36', ['spec.driver: driver names should be lowercase; "Abc.example.com" contains uppercase characters']],
  ] as const)('has the warnings of %s', async (kubernetesVersion, expected) => {
    const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
    const spec = { driver: 'Abc.example.com', nodeName: 'n', pool, devices: [{ name: 'd' }] };
    const object = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: 'n' }, spec };
    const { warnings } = await write({ path: '/apis/resource.k8s.io/v1/resourceslices', object, kubernetesVersion });
    expect(warnings).toEqual(expected);
  });
});
