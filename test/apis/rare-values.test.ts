import { describe, expect, it } from 'vitest';
import { write } from '../support/written-object.js';

const metadata = { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-02T03:04:05Z' };
const clusterWide = { ...metadata, namespace: undefined };

describe('errors', () => {
  it('show enum values as JSON and plain strings quoted', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }], dnsPolicy: '\x7f<' };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec };
    const { message } = await write({ path: '/api/v1/namespaces/n/pods', object: pod });
    expect(message).toContain('spec.dnsPolicy: Unsupported value: "\x7f\\u003c": supported values');
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: '\x7f', name: 'r' };
    const binding = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: 'x' }, roleRef };
    const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/n/rolebindings';
    expect((await write({ path, object: binding })).message).toContain('roleRef.kind: Unsupported value: "\\x7f"');
  });

  it('show invalid values of enums as JSON', async () => {
    const selector = { matchExpressions: [{ scopeName: 'Terminating', operator: '\x7f<' }] };
    const spec = { hard: { pods: '1' }, scopes: ['<'], scopeSelector: selector };
    const object = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'x' }, spec };
    const { message } = await write({ path: '/api/v1/namespaces/n/resourcequotas', object });
    expect(message).toContain('spec.scopes: Invalid value: ["\\u003c"]: unsupported scope');
    expect(message).toContain('.operator: Invalid value: "\x7f\\u003c": must be');
    expect(message).toContain('.operator: Invalid value: "\x7f\\u003c": not a valid selector operator');
  });

  it('name a preemption policy that is empty', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }], preemptionPolicy: '' };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec };
    const { message } = await write({ path: '/api/v1/namespaces/n/pods', object: pod });
    expect(message).toBe(
      'pods "x" is forbidden: the string value of PreemptionPolicy () must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
    );
  });

  it('show percentages that are not valid as JSON', async () => {
    const spec = { minAvailable: '5%\x7f<', selector: { matchLabels: { a: 'b' } } };
    const object = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'x' }, spec };
    const { message } = await write({ path: '/apis/policy/v1/namespaces/n/poddisruptionbudgets', object });
    expect(message).toContain('spec.minAvailable: Invalid value: "5%\x7f\\u003c": a valid percent string');
  });

  it('report pod CIDRs that are not a pair', async () => {
    const node = (...podCIDRs: string[]) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'x' },
      spec: { podCIDR: podCIDRs[0], podCIDRs },
    });
    const messageOf = async (...ranges: string[]) => (await write({ path: '/api/v1/nodes', object: node(...ranges) })).message;
    expect(await messageOf('10.1.2.0/24', 'fd00::/64')).toBeUndefined();
    expect(await messageOf('10.1.2.0/24', '10.1.3.0/24')).toContain(
      'spec.podCIDRs: Invalid value: ["10.1.2.0/24","10.1.3.0/24"]: may specify no more than one CIDR for each IP family',
    );
    expect(await messageOf('10.1.2.0/24', 'y')).toContain(
      'spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[1]: <nil> (invalid CIDR address: y)',
    );
  });

  it('tell of container resources of an autoscaler that containers cannot have', async () => {
    const messageOf = async (name: string) => {
      const source = { name, container: 'c', target: { type: 'Utilization', averageUtilization: 80 } };
      const metrics = [{ type: 'ContainerResource', containerResource: source }];
      const spec = { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 2, metrics };
      const object = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'x' }, spec };
      return (await write({ path: '/apis/autoscaling/v2/namespaces/n/horizontalpodautoscalers', object })).message;
    };
    expect([await messageOf('cpu'), await messageOf('example.com/x')]).toEqual([undefined, undefined]);
    expect(await messageOf('1e3')).toContain(
      'spec.metrics[0].containerResource.name: Invalid value: "1e3": must be a standard resource for containers',
    );
  });

  it('do not tell of a service address in a dry run that another service has', async () => {
    const service = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { clusterIP: '10.0.7.13', clusterIPs: ['10.0.7.13'], ports: [{ port: 80 }] },
    });
    const other = { ...service('other'), metadata: { name: 'other', namespace: 'n' } };
    const post = (query: string) => write({ path: `/api/v1/namespaces/n/services${query}`, object: service('x'), around: [other] });
    expect((await post('')).message).toContain('provided IP is already allocated');
    expect((await post('?dryRun=All')).status).toBe(201);
  });

  it('stop at too many types of a network policy', async () => {
    const spec = { podSelector: {}, policyTypes: ['Ingress', 'Egress', 'Other'] };
    const policy = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'x' }, spec };
    const { body } = await write({ path: '/apis/networking.k8s.io/v1/namespaces/n/networkpolicies', object: policy });
    expect(body.details.causes.map((cause: { message: string }) => cause.message)).toEqual([
      'Invalid value: ["Ingress","Egress","Other"]: may not specify more than two policyTypes',
    ]);
  });

  it('are only warnings for fractional bytes in ephemeral volumes', async () => {
    const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '500m' } } } };
    const volumes = [{ name: 'v', ephemeral: { volumeClaimTemplate: claim } }];
    const spec = { containers: [{ name: 'c', image: 'i' }], volumes };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec };
    expect((await write({ path: '/api/v1/namespaces/n/pods', object: pod })).warnings).toEqual([
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "500m" is invalid, must be an integer',
    ]);
  });

  it('report names that are not canonical addresses', async () => {
    const parentRef = { resource: 'services', name: 's' };
    const address = (metadata: object) => ({ apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress', metadata, spec: { parentRef } });
    const path = '/apis/networking.k8s.io/v1/ipaddresses';
    const messageOf = async (name: string) => (await write({ path, object: address({ name }) })).message;
    expect(await messageOf('fd00::1')).toBeUndefined();
    expect(await messageOf('FD00::1')).toContain('metadata.name: Invalid value: "FD00::1": must be in canonical form ("fd00::1")');
    expect(await messageOf('Gen_')).toContain('must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
    expect((await write({ path, object: address({ generateName: 'fd00::1' }) })).body.metadata.name).toBe('fd00::1');
  });

  it('compare the ratio of a limit range with its maximum and minimum', async () => {
    const limit = { type: 'Container', max: { cpu: '1' }, min: { cpu: '300m' }, maxLimitRequestRatio: { cpu: '4' } };
    const object = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'x' }, spec: { limits: [limit] } };
    const path = '/api/v1/namespaces/n/limitranges';
    const { message, notes } = await write({ path, object });
    expect(message).toContain('spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "4": ratio 4 is greater than max/min = 3.333333');
    expect(notes.join()).not.toContain('ratio');
    const odd = { ...object, spec: { limits: [{ type: '<' }] } };
    expect((await write({ path, object: odd })).message).toContain('spec.limits[0].type: Invalid value: "\\u003c": name part');
  });

  it('show a capacity below zero as a number', async () => {
    const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '-1' }, hostPath: { path: '/p' } };
    const object = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'x' }, spec };
    const { message } = await write({ path: '/api/v1/persistentvolumes', object });
    expect(message).toContain('spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity');
  });

  it('name a time zone once', async () => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    const spec = { schedule: '* * * * *', timeZone: 'x\ny', jobTemplate: { spec: { template } } };
    const object = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'x' }, spec };
    const { body } = await write({ path: '/apis/batch/v1/namespaces/n/cronjobs', object });
    expect(body.details.causes).toHaveLength(1);
  });

  it('find no version in an owner of two slashes, and sort the finalizers that come too late', async () => {
    const owner = { apiVersion: '/var/run', kind: 'K', name: 'o', uid: 'u' };
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, ownerReferences: [owner] } };
    const path = '/api/v1/namespaces/n/configmaps';
    expect((await write({ path, object: { ...map, metadata: { name: 'x', ownerReferences: [owner] } } })).message).toContain(
      'metadata.ownerReferences.apiVersion: Invalid value: "/var/run": version must not be empty',
    );
    const going = { ...map, metadata: { ...metadata, deletionTimestamp: '2026-01-02T03:04:05Z', finalizers: ['a/c'] } };
    const object = { ...going, metadata: { ...going.metadata, finalizers: ['a/c', 'a/b', 'a/a'] } };
    expect((await write({ path: `${path}/x`, stored: going, object })).message).toContain('found new finalizers []string{"a/a", "a/b"}');
  });

  it('show a zero time of an apply as null', async () => {
    const stored = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    const object = { ...stored, metadata: { name: 'x', deletionTimestamp: '0001-01-01T00:00:00Z' } };
    const path = '/api/v1/namespaces/n/configmaps/x?fieldManager=m';
    const { message } = await write({ path, stored, object, patchType: 'application/apply-patch+yaml' });
    expect(message).toContain('metadata.deletionTimestamp: Invalid value: null: field is immutable');
  });

  it('come from the address of a service without a DNS name', async () => {
    const object = { apiVersion: 'v1', kind: 'Service', metadata: {}, spec: { ports: [{ port: 80 }] } };
    const { message } = await write({ path: '/api/v1/namespaces/n/services', object });
    expect(message).toMatch(
      /^Service "" is invalid: spec.clusterIPs: Invalid value: \[""\]: failed to allocate IP: IPAddress.networking.k8s.io "10\.0\./,
    );
  });
});

describe('written values', () => {
  it('increments the generation for dropped fields in a resource slice', async () => {
    const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
    const spec = (attribute: object) => ({
      driver: 'd.example.com',
      pool,
      nodeName: 'n',
      devices: [{ name: 'd', attributes: { a: attribute } }],
    });
    const slice = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { ...clusterWide, generation: 1 } };
    const { body } = await write({
      path: '/apis/resource.k8s.io/v1/resourceslices/x',
      stored: { ...slice, spec: spec({ string: 'x' }) },
      object: { ...slice, spec: spec({ string: 'x', strings: ['y'] }) },
    });
    expect([body.metadata.generation, body.spec.devices[0].attributes.a]).toEqual([2, { string: 'x' }]);
  });

  it('shows no internal traffic policy of an external name', async () => {
    const spec = { type: 'ExternalName', externalName: 'e.example.com', internalTrafficPolicy: 'Cluster' };
    const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec };
    const { body } = await write({ path: '/api/v1/namespaces/n/services', object });
    expect(body.spec).toEqual({ type: 'ExternalName', externalName: 'e.example.com', sessionAffinity: 'None' });
  });

  it('stores empty bytes for an absent value', async () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, binaryData: { a: null } };
    const { body } = await write({ path: '/api/v1/namespaces/n/configmaps', object });
    expect(body.binaryData).toEqual({ a: '' });
  });
});

it('keeps the status of a TokenReview, except for the result', async () => {
  const status = { error: 'e', audiences: ['a'], authenticated: true };
  const object = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: { token: 't' }, status };
  const { body } = await write({ path: '/apis/authentication.k8s.io/v1/tokenreviews', object });
  expect(body.status).toEqual({ user: {}, audiences: ['a'], error: 'invalid bearer token' });
});

describe('the body of an apply that cannot be read', () => {
  const unreadable = 'error converting YAML to JSON: yaml: control characters are not allowed';
  const notAMap =
    'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal number into Go value of type map[string]interface {}';

  it.each([
    ['an object', 'v1.36', { data: '\x7f' }, `error decoding YAML: ${unreadable}`],
    ['an object', 'v1.37', { data: '\x7f' }, `error decoding patch: ${unreadable}`],
    ['a list', 'v1.36', ['\x7f'], `error decoding YAML: ${unreadable}`],
    ['a list', 'v1.37', ['\x7f'], 'error encoding patch: yaml: control characters are not allowed'],
    ['a number', 'v1.37', Object(1), `error decoding patch: ${notAMap}`],
  ] as const)('is refused: %s in %s', async (_what, kubernetesVersion, object, expected) => {
    const path = '/api/v1/namespaces/n/configmaps/x?fieldManager=m';
    const { message } = await write({ path, object, patchType: 'application/apply-patch+yaml', kubernetesVersion });
    expect(message).toBe(expected);
  });
});
