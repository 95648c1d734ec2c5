import { describe, expect, it } from 'vitest';
import { write } from '../support/written-object.js';

const created = '2026-01-02T03:04:05Z';
const metadata = { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: created };
const clusterWide = { name: 'x', uid: 'u', resourceVersion: '7', creationTimestamp: created };
const podTemplate = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

function change(resource: string, stored: object, object: object) {
  return write({ path: `/apis/${resource}`, stored, object });
}

describe('a status that is written', () => {
  it('leaves the generation of a daemon set as it is', async () => {
    const counter = 'deprecated.daemonset.template.generation';
    const stored = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { ...metadata, annotations: { [counter]: '2' } },
      spec: { selector: { matchLabels: { a: 'b' } }, template: podTemplate },
    };
    const object = { ...stored, metadata: { ...metadata, annotations: { [counter]: '0' } } };
    const { body } = await change('apps/v1/namespaces/n/daemonsets/x/status', stored, object);
    expect(body.metadata.annotations[counter]).toBe('2');
  });

  it('keeps the time of an unchanged phase', async () => {
    const status = { phase: 'Pending', lastPhaseTransitionTime: '2025-01-01T00:00:00Z' };
    const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/p' } };
    const stored = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: clusterWide, spec, status };
    const object = { ...stored, status: { phase: 'Pending' } };
    const { body } = await write({ path: '/api/v1/persistentvolumes/x/status', stored, object });
    expect(body.status).toEqual(status);
  });

  it('has load balancer settings only for load balancers', async () => {
    const ports = [{ port: 80, targetPort: 80, protocol: 'TCP' }];
    const stored = { apiVersion: 'v1', kind: 'Service', metadata, spec: { type: 'ClusterIP', clusterIP: '10.0.1.1', ports } };
    const object = { ...stored, status: { loadBalancer: { ingress: [{ hostname: 'h' }] } } };
    const { message } = await write({ path: '/api/v1/namespaces/n/services/x/status', stored, object });
    expect(message).toContain("status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'");
  });
});

describe('a storage capacity', () => {
  it('keeps its class and topology', async () => {
    const stored = { apiVersion: 'storage.k8s.io/v1', kind: 'CSIStorageCapacity', metadata, storageClassName: 'a', capacity: '1Gi' };
    const object = { ...stored, storageClassName: 'b', nodeTopology: { matchLabels: { a: 'b' } }, capacity: '-1' };
    const { message } = await change('storage.k8s.io/v1/namespaces/n/csistoragecapacities/x', stored, object);
    expect(message).toContain(
      '[capacity: Invalid value: "-1": must be greater than or equal to 0, nodeTopology: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable, storageClassName: Invalid value: "b": field is immutable]',
    );
  });
});

describe('warnings', () => {
  it('about a volume name sources that no longer work', async () => {
    const cephfs = { monitors: ['m'] };
    const annotations = { 'volume.beta.kubernetes.io/mount-options': 'ro' };
    const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, cephfs };
    const object = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'x', annotations }, spec };
    expect((await write({ path: '/api/v1/persistentvolumes', object })).warnings).toEqual([
      'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
      'spec.cephfs: deprecated in v1.28, non-functional in v1.31+',
    ]);
  });

  it('about networks contain the canonical form', async () => {
    const spec = { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '2001:0db8::/64' } }] }], policyTypes: ['Ingress'] };
    const object = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'x' }, spec };
    expect((await write({ path: '/apis/networking.k8s.io/v1/namespaces/n/networkpolicies', object })).warnings).toEqual([
      'spec.ingress[0].from[0].ipBlock.cidr: IPv6 CIDR value "2001:0db8::/64" should be in RFC 5952 canonical format ("2001:db8::/64")',
    ]);
  });

  it('about an annotation of a service account are not repeated', async () => {
    const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
    const marked = { ...account, metadata: { ...metadata, annotations } };
    const path = '/api/v1/namespaces/n/serviceaccounts/x';
    expect((await write({ path, stored: account, object: marked })).warnings).toHaveLength(1);
    expect((await write({ path, stored: marked, object: { ...marked, secrets: [{ name: 's' }] } })).warnings).toEqual([]);
  });
});

describe('an update', () => {
  it("rejects changes of a node's immutable fields", async () => {
    const spec = { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'], providerID: 'p' };
    const stored = { apiVersion: 'v1', kind: 'Node', metadata: clusterWide, spec };
    const object = { ...stored, spec: { podCIDR: '10.2.0.0/24', podCIDRs: ['10.2.0.0/24'], providerID: 'q' } };
    const { message } = await write({ path: '/api/v1/nodes/x', stored, object });
    expect(message).toBe(
      'Node "x" is invalid: [spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid, ' +
        'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid]',
    );
  });

  it('ignores a missing pod selector', async () => {
    const stored = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { ...metadata, generation: 1 },
      spec: { podSelector: {}, policyTypes: ['Ingress'] },
    };
    const { body } = await change('networking.k8s.io/v1/namespaces/n/networkpolicies/x', stored, { ...stored, spec: undefined });
    expect(body.metadata.generation).toBe(1);
  });

  it('treats absent and empty lists as equal in immutable fields', async () => {
    const stored = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata, spec: { devices: { requests: null } } };
    expect((await change('resource.k8s.io/v1/namespaces/n/resourceclaims/x', stored, { ...stored, spec: {} })).status).toBe(200);
  });

  it("with another uid has an error with the object's etcd key", async () => {
    const stored = {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata,
      spec: { replicas: 1, selector: { a: 'b' }, template: podTemplate },
    };
    const object = { ...stored, metadata: { ...metadata, uid: 'v' } };
    const { message } = await write({ path: '/api/v1/namespaces/n/replicationcontrollers/x', stored, object });
    expect(message).toContain('Key: /registry/controllers/n/x');
  });
});

describe('a device class', () => {
  const path = '/apis/resource.k8s.io/v1/deviceclasses';
  const withSelector = (expression: string) => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name: 'c' },
    spec: { selectors: [{ cel: { expression } }] },
  });

  it.each([
    'device.driver == "d.example.com"',
    'cel.bind(dra, device.attributes["d.example.com"], dra.fast && device.capacity["d.example.com"].memory.isGreaterThan(quantity("1Gi")))',
    'device.attributes["d.example.com"].fast',
    'device.allowMultipleAllocations',
    'lists.range(999979) == []',
  ])('selects by %s', async expression => {
    expect((await write({ path, object: withSelector(expression) })).message).toBeUndefined();
  });

  it.each([
    ['device.driver', 'must evaluate to bool or the unknown type, not string'],
    ['device.name', "compilation failed: ERROR: <input>:1:7: undefined field 'name'\n | device.name\n | ......^"],
    ['cel.bind(1, true, true)', 'cel.bind() variable names must be simple identifiers'],
    ['lists.range(999980) == []', 'spec.selectors[0].cel.expression: Forbidden: too complex, exceeds cost limit'],
  ])('does not select by %s', async (expression, problem) => {
    expect((await write({ path, object: withSelector(expression) })).message).toContain(problem);
  });
});

it('a storage class has unique topology terms', async () => {
  const term = { matchLabelExpressions: [{ key: 'zone', values: ['b', 'a'] }] };
  const other = { matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] };
  const object = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'x' },
    provisioner: 'p',
    allowedTopologies: [term, other],
  };
  const { message } = await write({ path: '/apis/storage.k8s.io/v1/storageclasses', object });
  expect(message).toBe('StorageClass.storage.k8s.io "x" is invalid: allowedTopologies[1].matchLabelExpressions: Duplicate value: ""');
});

describe('immutable fields', () => {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata,
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } }, volumeMode: 'Filesystem' },
    status: { phase: 'Bound', capacity: { storage: '1Gi' } },
  };
  const claims = '/api/v1/namespaces/n/persistentvolumeclaims/x';
  const sized = (storage: string) => ({ ...claim, spec: { ...claim.spec, resources: { requests: { storage } } } });

  it.each([
    ['1536Mi', undefined],
    ['512Mi', 'field can not be less than status.capacity'],
  ])('the size of a bound claim, %s: %j', async (size, problem) => {
    const { message } = await write({ path: claims, stored: claim, object: sized(size) });
    if (problem === undefined) expect(message).toBeUndefined();
    else expect(message).toContain(problem);
  });

  it('other fields of a claim', async () => {
    const object = { ...claim, spec: { ...claim.spec, accessModes: ['ReadWriteMany'] } };
    const { message } = await write({ path: claims, stored: claim, object });
    expect(message).toContain(
      'for bound claims\n@@ -1,6 +1,6 @@\n {\n  "AccessModes": [\n-  "ReadWriteOnce"\n+  "ReadWriteMany"\n  ],\n  "Selector": null,',
    );
  });

  it('the source and the location of a volume', async () => {
    const nodeAffinity = (key: string, value: string) => ({
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }] },
    });
    const spec = {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      local: { path: '/a' },
      nodeAffinity: nodeAffinity('beta.kubernetes.io/os', 'linux'),
    };
    const stored = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: clusterWide, spec };
    const path = '/api/v1/persistentvolumes/x';
    const renamed = { ...stored, spec: { ...spec, nodeAffinity: nodeAffinity('kubernetes.io/os', 'linux') } };
    expect((await write({ path, stored, object: renamed })).status).toBe(200);
    const moved = { ...stored, spec: { ...spec, local: { path: '/b' }, nodeAffinity: nodeAffinity('kubernetes.io/os', 'windows') } };
    const { message } = await write({ path, stored, object: moved });
    expect(message).toContain('spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n@@ ');
    expect(message).toContain('field is immutable, except for updating from beta label to GA');
  });

  it('the template of a job that runs; of a suspended one its resources may change', async () => {
    const container = { name: 'c', image: 'i' };
    const jobOf = (of: object, suspend: boolean) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata,
      spec: {
        suspend,
        manualSelector: true,
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { restartPolicy: 'Never', containers: [of] } },
      },
    });
    const bigger = { ...container, resources: { requests: { cpu: '2' } } };
    const messageOf = async (of: object, suspend: boolean) =>
      (await change('batch/v1/namespaces/n/jobs/x', jobOf(container, suspend), jobOf(of, suspend))).message;
    expect(await messageOf(bigger, true)).toBeUndefined();
    expect(await messageOf({ ...container, image: 'j' }, true)).toContain('spec.template.spec: Invalid value: {"Volumes":null');
    expect(await messageOf(bigger, false)).toContain('spec.template: Invalid value: {"labels":{"a":"b"},"Spec":{');
  });

  it('the drivers of a node and how a driver works', async () => {
    const driver = { name: 'd.example.com', nodeID: 'n', topologyKeys: ['a'], allocatable: { count: 1 } };
    const node = { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: clusterWide, spec: { drivers: [driver] } };
    const withDriver = (parts: object) => ({ ...node, spec: { drivers: [{ ...driver, ...parts }] } });
    const path = 'storage.k8s.io/v1/csinodes/x';
    expect((await change(path, node, withDriver({ allocatable: { count: 2 } }))).status).toBe(200);
    expect((await change(path, node, withDriver({ nodeID: 'm' }))).message).toContain(
      'spec.drivers: Invalid value: {"Name":"d.example.com"',
    );
    const driverObject = { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: clusterWide, spec: { attachRequired: true } };
    const changed = { ...driverObject, spec: { attachRequired: false } };
    expect((await change('storage.k8s.io/v1/csidrivers/x', driverObject, changed)).message).toContain(
      'spec.attachedRequired: Invalid value: false: field is immutable',
    );
  });
});

it('a client cannot mark an object as being deleted', async () => {
  const stored = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: {} };
  const object = { ...stored, metadata: { ...metadata, deletionTimestamp: created } };
  const { message } = await change('coordination.k8s.io/v1/namespaces/n/leases/x', stored, object);
  expect(message).toContain(`metadata.deletionTimestamp: Invalid value: "${created}": field is immutable`);
});

describe('an update of a role binding', () => {
  const group = 'rbac.authorization.k8s.io';
  const stored = { apiVersion: `${group}/v1`, kind: 'RoleBinding', metadata, roleRef: { apiGroup: group, kind: 'Role', name: 'r' } };

  it('that clears the name of its role has the errors in the order of v1.37', async () => {
    const object = { ...stored, roleRef: { ...stored.roleRef, name: '' }, subjects: [{ kind: 'Z', name: 'u' }, { kind: 'User' }] };
    const path = `/apis/${group}/v1/namespaces/n/rolebindings/x`;
    const { body } = await write({ path, stored, object, kubernetesVersion: 'v1.37' });
    const fields = body.details.causes.map((cause: { readonly field: string }) => cause.field);
    expect(fields).toEqual(['roleRef.name', 'subjects[0].kind', 'roleRef', 'subjects[1].name']);
  });
});

// kube-apiserver v1.36.3 answers so.
it('shows a list that may not change as null when it is absent', async () => {
  const stored = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: clusterWide,
    spec: { cidrs: ['10.9.0.0/24', 'fd00::/112'] },
  };
  const refused = async (spec: object) => (await change('networking.k8s.io/v1/servicecidrs/x', stored, { ...stored, spec })).message;
  expect(await refused({})).toContain('spec.cidrs: Invalid value: null: field is immutable');
  expect(await refused({ cidrs: [] })).toContain('spec.cidrs: Invalid value: []: field is immutable');
});
