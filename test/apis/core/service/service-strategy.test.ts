import { describe, expect, it } from 'vitest';
import { write } from '../../../support/written-object.js';

const path = '/api/v1/namespaces/n/services';
const port = { port: 80, targetPort: 80, protocol: 'TCP' };

function service(spec: object): object {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 's', namespace: 'n', uid: 'u', resourceVersion: '7' }, spec };
}

function create(spec: object, query = '') {
  return write({ path: path + query, object: { ...service(spec), metadata: { name: 's' } } });
}

function change(from: object, to: object) {
  return write({ path: `${path}/s`, object: service(to), stored: service(from) });
}

const balancer = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster' };
const stored = {
  ...balancer,
  clusterIP: '10.0.5.5',
  clusterIPs: ['10.0.5.5'],
  ipFamilies: ['IPv4'],
  ipFamilyPolicy: 'SingleStack',
  allocateLoadBalancerNodePorts: true,
  healthCheckNodePort: 30100,
  ports: [{ ...port, nodePort: 30101 }],
};

describe('a new service', () => {
  it('allocates ports from 32769 in a dry run, including that of the health check', async () => {
    const two = [
      { ...port, name: 'a' },
      { ...port, name: 'b', port: 81 },
    ];
    const { body } = await create({ ...balancer, ports: two }, '?dryRun=All');
    expect(body.spec.ports.map((p: { nodePort: number }) => p.nodePort)).toEqual([32769, 32770]);
    expect(body.spec.healthCheckNodePort).toBe(32771);
  });

  it('gives ports of one number one node port, the one that is asked for', async () => {
    const both = [
      { ...port, name: 'a' },
      { ...port, name: 'b', protocol: 'UDP', nodePort: 30007 },
    ];
    const { body } = await create({ type: 'NodePort', ports: both });
    expect(body.spec.ports.map((p: { nodePort: number }) => p.nodePort)).toEqual([30007, 30007]);
  });

  it('has no addresses of an unsupported family', async () => {
    const { message } = await create({ ports: [port], ipFamilies: ['IPv6'] });
    expect(message).toBe('Service "s" is invalid: spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster');
  });
});

describe('a changed service', () => {
  it('keeps its input', async () => {
    const { body } = await change(stored, { ...balancer, ports: [port] });
    expect(body.spec).toMatchObject({ clusterIP: '10.0.5.5', healthCheckNodePort: 30100, ports: [{ nodePort: 30101 }] });
  });

  it('loses fields that its new type does not use', async () => {
    const { body } = await change(stored, { ...stored, type: 'ClusterIP' });
    expect(Object.keys(body.spec).sort()).toEqual([
      'clusterIP',
      'clusterIPs',
      'internalTrafficPolicy',
      'ipFamilies',
      'ipFamilyPolicy',
      'ports',
      'sessionAffinity',
      'type',
    ]);
    expect(body.spec.ports).toEqual([port]);
  });

  it('does not allocate a node port twice', async () => {
    const twice = [
      { ...port, name: 'a', nodePort: 30101 },
      { ...port, name: 'b', port: 81, nodePort: 30101 },
    ];
    const { status, message } = await change(stored, { ...stored, ports: twice });
    expect([status, message]).toEqual([500, 'duplicate nodePort: {TCP 30101}']);
  });
});

describe('the internal traffic policy of an ExternalName service, which reads do not show', () => {
  const external = { type: 'ExternalName', externalName: 'a', sessionAffinity: 'None' };
  const owned = { 'f:spec': { 'f:internalTrafficPolicy': {} } };
  const metadata = {
    name: 's',
    namespace: 'n',
    uid: 'u',
    resourceVersion: '7',
    managedFields: [{ manager: 'a', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: owned }],
  };
  const patch = (at: string, more: object = {}) =>
    write({
      path: `${path}/s${at}`,
      object: { metadata: { labels: { a: 'b' } } },
      patchType: 'application/merge-patch+json',
      stored: { ...service(external), metadata: { ...metadata, ...more } },
    });

  it('is restored from the managed fields, and shown by the status', async () => {
    expect((await patch('/status')).body.spec.internalTrafficPolicy).toBe('Cluster');
  });

  it('is not restored when no manager owns it', async () => {
    expect((await patch('/status', { managedFields: [] })).body.spec.internalTrafficPolicy).toBeUndefined();
  });

  it('is not shown by the service, and stays owned', async () => {
    const { body } = await patch('');
    expect(body.spec.internalTrafficPolicy).toBeUndefined();
    expect(body.metadata.managedFields[0].fieldsV1).toEqual(owned);
  });
});

it('shows a policy of external traffic in an error as JSON, because its type is a named string', async () => {
  const { message } = await create({ ports: [port], externalTrafficPolicy: '<b>' });
  expect(message).toContain('Invalid value: "\\u003cb\\u003e": may only be set for externally-accessible services');
});
