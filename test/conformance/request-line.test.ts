import { describe, expect, it } from 'vitest';
import { presumedTarget } from '../../src/conformance/request-line.js';
import { stringAt, toValue, type ValueMap } from '../../src/go/value.js';
import { clusterStateWith } from '../support/cluster-state.js';

const pod = toValue({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'team' } }) as ValueMap;

function presumed(method: string, path: string, objects: readonly ValueMap[] = []): string | undefined {
  const found = presumedTarget({ method, path }, clusterStateWith({ objects, presumesNamespaces: false }), () => 'u');
  if (found === undefined) return undefined;
  const place = [stringAt(found, 'metadata', 'namespace'), stringAt(found, 'metadata', 'name')].filter(part => part !== '').join('/');
  return `${stringAt(found, 'apiVersion')} ${stringAt(found, 'kind')} ${place}`;
}

describe('objects that a recorded case assumes', () => {
  it.each([
    ['GET', '/api/v1/namespaces/team/configmaps/a', 'v1 ConfigMap team/a'],
    ['GET', '/api/v1/namespaces/team', 'v1 Namespace team'],
    ['GET', '/api/v1/namespaces/team/pods/p/log', 'v1 Pod team/p'],
    ['POST', '/api/v1/namespaces/team/pods/p/exec?command=ls&container=c', 'v1 Pod team/p'],
    ['POST', '/api/v1/namespaces/team/pods/p/eviction', 'v1 Pod team/p'],
    ['POST', '/api/v1/namespaces/team/serviceaccounts/s/token', 'v1 ServiceAccount team/s'],
    ['GET', '/api/v1/nodes/n/proxy/healthz', 'v1 Node n'],
  ])('%s %s', (method, path, object) => {
    expect(presumed(method, path)).toBe(object);
  });

  it.each([
    ['GET', '/api/v1/namespaces/team/configmaps'],
    ['DELETE', '/api/v1/namespaces/team/configmaps/a'],
    ['PUT', '/api/v1/namespaces/team/pods/p/status'],
    ['GET', '/api/v1/namespaces/team/services/s/proxy/'],
    ['GET', '/version'],
  ])('not %s %s', (method, path) => {
    expect(presumed(method, path)).toBeUndefined();
  });

  it('not the contents of the case', () => {
    expect(presumed('GET', '/api/v1/namespaces/team/pods/p', [pod])).toBeUndefined();
  });
});
