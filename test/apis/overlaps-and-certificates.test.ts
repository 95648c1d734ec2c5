import { describe, expect, it } from 'vitest';
import { pemText } from '../../src/x509/pem.js';
import { write } from '../support/written-object.js';

const metadata = { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-02T03:04:05Z' };

describe('files of a volume', () => {
  const warningsOf = async (...volumes: object[]) => {
    const spec = { containers: [{ name: 'c', image: 'i' }], volumes: volumes.map((volume, i) => ({ name: `v${i}`, ...volume })) };
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec };
    return (await write({ path: '/api/v1/namespaces/n/pods', object })).warnings;
  };
  const items = (...paths: string[]) => paths.map(path => ({ key: 'k', path }));

  it('warns about equal and nested paths', async () => {
    expect(await warningsOf({ configMap: { name: 'c', items: items('a', 'b', 'a/', 'b/c') } })).toEqual([
      'volume "v0" (ConfigMap "c"): overlapping paths: "a" with "a"',
      'volume "v0" (ConfigMap "c"): overlapping paths: "b/c" with "b"',
    ]);
    expect(await warningsOf({ secret: { secretName: 's', items: items('a', 'ab') } })).toEqual([]);
  });

  it('come from several sources of a projected volume, which must have at least one', async () => {
    const sources = [{ secret: { name: 's', items: items('a') } }, { configMap: { name: 'c', items: items('a/b') } }];
    expect(await warningsOf({ projected: { sources } })).toEqual([
      'volume "v0" (Projected): overlapping paths: "a/b" (ConfigMap "c") with "a" (Secret "s")',
    ]);
  });
});

describe('an issued certificate', () => {
  const request = Buffer.from(pemText('CERTIFICATE REQUEST', Buffer.from('x'))).toString('base64');
  const spec = { request, signerName: 'example.com/s', usages: ['client auth'] };
  const stored = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { ...metadata, namespace: undefined },
    spec,
  };
  const messageOf = async (text: string) => {
    const object = { ...stored, status: { certificate: Buffer.from(text).toString('base64') } };
    return (await write({ path: '/apis/certificates.k8s.io/v1/certificatesigningrequests/x/status', stored, object })).message;
  };

  it.each([
    ['x', 'must contain at least one CERTIFICATE PEM block'],
    [pemText('PRIVATE KEY', Buffer.from('x')), 'only CERTIFICATE PEM blocks are allowed, found "PRIVATE KEY"'],
    [pemText('CERTIFICATE', Buffer.from('x')), 'x509: malformed certificate'],
  ])('is one: %j', async (text, message) => {
    expect(await messageOf(text)).toContain(`status.certificate: Invalid value: "<certificate data>": ${message}`);
  });
});

it('a load balancer class is validated twice in an update', async () => {
  const spec = {
    type: 'ClusterIP',
    clusterIP: 'None',
    clusterIPs: ['None'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    sessionAffinity: 'None',
  };
  const stored = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ...spec, ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }] } };
  const object = { ...stored, spec: { ...stored.spec, loadBalancerClass: 'example.com/c' } };
  const { body } = await write({ path: '/api/v1/namespaces/n/services/x', stored, object });
  expect(body.details.causes).toHaveLength(2);
});

it('an empty value of a secret is not JSON', async () => {
  const object = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'x' },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': null },
  };
  const { message } = await write({ path: '/api/v1/namespaces/n/secrets', object });
  expect(message).toContain('data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input');
});
