import { describe, expect, it } from 'vitest';
import { write } from '../support/written-object.js';

const metadata = { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-02T03:04:05Z' };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const minors = ['v1.36', 'v1.37'] as const;

/** Returns the messages of v1.36 and v1.37; undefined where the write is accepted. */
async function messages(written: Parameters<typeof write>[0]): Promise<(string | undefined)[]> {
  const answers = await Promise.all(minors.map(kubernetesVersion => write({ ...written, kubernetesVersion })));
  return answers.map(({ message }) => message);
}

describe('since v1.37', () => {
  it('an object that an apply creates keeps no selfLink and grace period', async () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', selfLink: '/x', deletionGracePeriodSeconds: 5 } };
    const path = '/api/v1/namespaces/n/configmaps/x?fieldManager=m&dryRun=All';
    const bodies = await Promise.all(
      minors.map(
        async kubernetesVersion => (await write({ path, object, patchType: 'application/apply-patch+yaml', kubernetesVersion })).body,
      ),
    );
    expect(bodies.map(body => [body.metadata.selfLink, body.metadata.deletionGracePeriodSeconds])).toEqual([
      ['/x', 5],
      [undefined, undefined],
    ]);
  });

  it('metadata of a Scale is not validated', async () => {
    const stored = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, template },
    };
    const object = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { ...metadata, labels: { a: '日本' } }, spec: { replicas: 2 } };
    const [before, after] = await messages({ path: '/apis/apps/v1/namespaces/n/deployments/x/scale', stored, object });
    expect(before).toContain('metadata.labels: Invalid value: "日本"');
    expect(after).toBeUndefined();
  });

  it.each([
    ['x.y/z', 'a lowercase RFC 1123 subdomain must consist of lower case', 'an RFC 1123 subdomain must consist of alphanumeric'],
    ['a'.repeat(64), 'Too long: may not be more than 63 bytes', 'Too long: may not be more than 63 characters'],
  ])('the driver of a configuration is refused in the words of declarative validation: %s', async (driver, before, after) => {
    const config = [{ opaque: { driver, parameters: { a: 1 } } }];
    const object = { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'x' }, spec: { config } };
    const path = '/apis/resource.k8s.io/v1/deviceclasses/x?fieldManager=m';
    const found = await messages({ path, object, patchType: 'application/apply-patch+yaml' });
    expect(found).toEqual([expect.stringContaining(before), expect.stringContaining(after)]);
  });

  it('an update of a job may change the generated labels of a suspended job', async () => {
    const labels = {
      'batch.kubernetes.io/controller-uid': 'u',
      'batch.kubernetes.io/job-name': 'x',
      'controller-uid': 'u',
      'job-name': 'x',
    };
    const job = (own: object) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata,
      spec: {
        suspend: true,
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } },
        template: { metadata: { labels: own }, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
      },
    });
    const object = job({ ...labels, 'controller-uid': 'other' });
    const [before, after] = await messages({ path: '/apis/batch/v1/namespaces/n/jobs/x', stored: job(labels), object });
    expect(before).toContain('spec.template.metadata.labels[controller-uid]: Invalid value');
    expect(after).toBeUndefined();
  });

  it('claim templates in errors have no kind', async () => {
    const spec = { serviceName: 's', selector: { matchLabels: { a: 'b' } }, template };
    const claim = { metadata: { name: 'd' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
    const stored = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec };
    const object = { ...stored, spec: { ...spec, volumeClaimTemplates: [claim] } };
    const [, after] = await messages({ path: '/apis/apps/v1/namespaces/n/statefulsets/x', stored, object });
    expect(after).toContain('spec.volumeClaimTemplates: Invalid value: [{"name":"d","Spec":{"AccessModes":["ReadWriteOnce"]');
  });

  it('a duplicate condition is an error of the condition, and missing members are required', async () => {
    const spec = { minAvailable: 1, selector: { matchLabels: { a: 'b' } } };
    const stored = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec };
    const time = '2026-01-02T03:04:05Z';
    const conditions = [
      { type: 't', status: 'True', reason: 'R', lastTransitionTime: time, message: '' },
      { type: 't', status: '', reason: 'R', lastTransitionTime: time, message: '' },
      { type: '', status: 'True', reason: 'R', lastTransitionTime: time, message: '' },
    ];
    const object = { ...stored, status: { conditions, disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 } };
    const path = '/apis/policy/v1/namespaces/n/poddisruptionbudgets/x/status';
    const [before, after] = await messages({ path, stored, object });
    expect(before).toContain('status.conditions[1].type: Duplicate value: "t", status.conditions[1].status: Unsupported value: ""');
    expect(after).toContain(
      '[status.conditions[1]: Duplicate value: "t", status.conditions[1].status: Required value, status.conditions[2].type: Required value: is required]',
    );
  });

  it('a share of a device is validated as declared, and duplicates are shown whole', async () => {
    const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 } }] } };
    const stored = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata, spec };
    const consumer = { resource: 'pods', name: 'p', uid: 'o' };
    const status = { reservedFor: [consumer, consumer], devices: [{ driver: 'd.example.com', pool: 'p', device: 'x', shareID: 'S' }] };
    const path = '/apis/resource.k8s.io/v1/namespaces/n/resourceclaims/x/status';
    const [, after] = await messages({ path, stored, object: { ...stored, status } });
    expect(after).toContain('status.reservedFor[1]: Duplicate value: {"resource":"pods","name":"p","uid":"o"}');
    expect(after).toContain('status.devices[0].shareID: Invalid value: "S": must be a lowercase UUID in 8-4-4-4-12 format');
  });

  it('the QoS class of a new pod is always computed', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec, status: { qosClass: 'Burstable' } };
    const path = '/api/v1/namespaces/n/pods?dryRun=All';
    const bodies = await Promise.all(minors.map(async kubernetesVersion => (await write({ path, object, kubernetesVersion })).body));
    expect(bodies.map(({ status }) => status.qosClass)).toEqual(['Burstable', 'BestEffort']);
  });

  it('a resize keeps claims of containers', async () => {
    const pod = (resources: object) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: { containers: [{ name: 'c', image: 'i', resources }], resourceClaims: [{ name: 'd', resourceClaimName: 'd' }] },
    });
    const [before, after] = await messages({
      path: '/api/v1/namespaces/n/pods/x/resize',
      stored: pod({}),
      object: pod({ claims: [{ name: 'd' }] }),
    });
    expect(before).toBeUndefined();
    expect(after).toContain('spec: Forbidden: only cpu and memory resources are mutable');
  });
});

it('a prefix of names of certificate signing requests may be a dot', async () => {
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All';
  const object = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { generateName: '.' }, spec: {} };
  const { message } = await write({ path, object });
  expect(message).not.toContain('metadata.generateName');
});
