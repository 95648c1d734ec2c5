import { describe, expect, it } from 'vitest';
import { isMap, toValue, type ValueMap } from '../../src/go/value.js';
import { demo } from '../../src/webhook-server/handlers/demo.js';

const pods = { group: '', version: 'v1', resource: 'pods' };

function request(object: unknown, over: object = {}): ValueMap {
  const value = toValue({ resource: pods, operation: 'CREATE', object, ...over });
  if (!isMap(value)) throw new Error('no request');
  return value;
}

function pod(over: { metadata?: object; spec?: object; container?: object } = {}): object {
  const container = { name: 'c', image: 'nginx:1.27', resources: { limits: { cpu: '1', memory: '1Gi' } }, ...over.container };
  return { kind: 'Pod', metadata: { name: 'a', ...over.metadata }, spec: { containers: [container], ...over.spec } };
}

const labeled = { labels: { 'demo.webhook-cli.dev/reviewed': 'yes' } };

describe('the mutating demo webhook', () => {
  it.each([
    [
      'adds the labels that are not there',
      pod(),
      [{ op: 'add', path: '/metadata/labels', value: { 'demo.webhook-cli.dev/reviewed': 'yes' } }],
    ],
    [
      'adds its label to others',
      pod({ metadata: { labels: { app: 'web' } } }),
      [{ op: 'add', path: '/metadata/labels/demo.webhook-cli.dev~1reviewed', value: 'yes' }],
    ],
    ['changes nothing twice', pod({ metadata: labeled }), []],
  ])('%s', (_, object, patch) => {
    expect(demo(request(object), 'mutating')).toEqual({ allowed: true, patch: patch.map(toValue) });
  });

  it('adds the sidecar to new pods that request it, once', () => {
    const asks = { ...labeled, annotations: { 'demo.webhook-cli.dev/sidecar': 'true' } };
    const paths = (object: object, over: object = {}) => {
      const answer = demo(request(object, over), 'mutating');
      return answer.allowed ? (answer.patch ?? []).map(operation => isMap(operation) && operation.get('path')) : [];
    };
    expect(paths(pod({ metadata: asks }))).toEqual(['/spec/containers/-']);
    expect(paths(pod({ metadata: asks, container: { name: 'demo-sidecar' } }))).toEqual([]);
    expect(paths(pod({ metadata: asks }), { operation: 'UPDATE' })).toEqual([]);
    expect(paths(pod(), { subResource: 'status' })).toEqual([]);
  });
});

describe('the validating demo webhook', () => {
  it.each([
    ['privileged', { securityContext: { privileged: true } }, 'container "c" must not be privileged'],
    ['latest', { image: 'nginx:latest' }, 'container "c" must name a version of its image, not "nginx:latest"'],
    ['no tag', { image: 'nginx' }, 'container "c" must name a version of its image, not "nginx"'],
    ['a port and no tag', { image: 'localhost:5000/nginx' }, 'container "c" must name a version of its image, not "localhost:5000/nginx"'],
  ])('refuses %s', (_, container, message) => {
    expect(demo(request(pod({ container })), 'validating')).toEqual({ allowed: false, code: 403, reason: 'Forbidden', message });
  });

  it.each([['nginx:1.27'], ['localhost:5000/nginx:1'], ['nginx@sha256:0123'], ['nginx:latest@sha256:0123']])('lets %s pass', image => {
    expect(demo(request(pod({ container: { image } })), 'validating')).toEqual({ allowed: true, warnings: [] });
  });

  it('checks init and ephemeral containers, too', () => {
    const bad = [{ name: 'x', image: 'x' }];
    const answer = demo(request(pod({ spec: { initContainers: bad, ephemeralContainers: bad } })), 'validating');
    const one = 'container "x" must name a version of its image, not "x"';
    expect(answer).toEqual({ allowed: false, code: 403, reason: 'Forbidden', message: `${one}; ${one}` });
  });

  it('warns about containers without limits', () => {
    expect(demo(request(pod({ container: { resources: { limits: { cpu: '1' } } } })), 'validating')).toEqual({
      allowed: true,
      warnings: ['container "c" has no limits for cpu and memory'],
    });
  });

  it('keeps protected pods from being deleted', () => {
    const remove = (annotations: object) =>
      demo(request(null, { operation: 'DELETE', name: 'a', oldObject: pod({ metadata: { annotations } }) }), 'validating');
    expect(remove({})).toEqual({ allowed: true });
    expect(remove({ 'demo.webhook-cli.dev/protected': 'true' })).toEqual({
      allowed: false,
      code: 403,
      reason: 'Forbidden',
      message: 'pod "a" is protected: remove the annotation demo.webhook-cli.dev/protected first',
    });
  });

  it('ignores objects other than pods', () => {
    const others = [
      request({ kind: 'ConfigMap' }, { resource: { group: '', version: 'v1', resource: 'configmaps' } }),
      request({ kind: 'Binding' }, { subResource: 'binding' }),
      request(null, { operation: 'CONNECT' }),
    ];
    expect(others.flatMap(other => [demo(other, 'mutating'), demo(other, 'validating')])).toEqual(
      others.flatMap(() => [{ allowed: true }, { allowed: true }]),
    );
  });
});

describe('the validating demo webhook at other endpoints', () => {
  const about = (resource: string, subResource: string, object: unknown) =>
    demo(request(object, { resource: { group: '', version: 'v1', resource }, subResource }), 'validating');

  it.each([
    ['a terminal by exec', 'pods', 'exec', { tty: true }, 'no terminals in running pods: use kubectl debug'],
    ['a terminal by attach', 'pods', 'attach', { tty: true }, 'no terminals in running pods: use kubectl debug'],
    ['too many replicas', 'deployments', 'scale', { spec: { replicas: 51 } }, '51 replicas are more than 50'],
    ['long tokens', 'serviceaccounts', 'token', { spec: { expirationSeconds: 86401 } }, 'a token must not live longer than 86400 seconds'],
    [
      'an ephemeral container without a version',
      'pods',
      'ephemeralcontainers',
      pod({ spec: { ephemeralContainers: [{ name: 'd', image: 'busybox' }] } }),
      'container "d" must name a version of its image, not "busybox"',
    ],
  ])('refuses %s', (_, resource, subResource, object, message) => {
    expect(about(resource, subResource, object)).toEqual({ allowed: false, code: 403, reason: 'Forbidden', message });
  });

  it.each([
    ['a command', 'pods', 'exec', { command: ['ls'] }],
    ['some replicas', 'statefulsets', 'scale', { spec: { replicas: 50 } }],
    ['short tokens', 'serviceaccounts', 'token', { spec: { expirationSeconds: 3600 } }],
    ['the status of a pod it would refuse', 'pods', 'status', pod({ container: { image: 'nginx' } })],
    ['streams that name no object', 'nodes', 'proxy', null],
    ['evictions', 'pods', 'eviction', { metadata: { name: 'a' } }],
  ])('lets %s pass', (_, resource, subResource, object) => {
    expect(about(resource, subResource, object)).toEqual({ allowed: true });
  });

  it('names the pod that is protected in the deletion of a collection', () => {
    const oldObject = pod({ metadata: { annotations: { 'demo.webhook-cli.dev/protected': 'true' } } });
    expect(demo(request(null, { operation: 'DELETE', oldObject, name: '' }), 'validating')).toMatchObject({
      allowed: false,
      message: 'pod "a" is protected: remove the annotation demo.webhook-cli.dev/protected first',
    });
  });
});
