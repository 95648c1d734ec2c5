import { describe, expect, it } from 'vitest';
import { write } from '../support/written-object.js';

describe('objects written to storage', () => {
  const job = (metadata: object): object => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata,
    spec: { template: { metadata: { labels: { a: 'b' } }, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
  });

  it('gives a job without labels the generated ones, which share the map of its template', async () => {
    const { body } = await write({ path: '/apis/batch/v1/namespaces/n/jobs', object: job({ name: 'j' }) });
    expect(body.metadata.labels).toEqual(body.spec.template.metadata.labels);
    expect(body.metadata.labels['job-name']).toBe('j');
  });

  it('gives a job whose name is generated the labels of its template only, because it is a copy', async () => {
    const { body } = await write({ path: '/apis/batch/v1/namespaces/n/jobs', object: job({ generateName: 'j-' }) });
    expect(body.metadata.labels).toEqual({ a: 'b' });
    expect(body.spec.template.metadata.labels['job-name']).toBe(body.metadata.name);
  });

  it('answers a dry run with defaults applied again', async () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const object = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'c' }, spec };
    const { body } = await write({ path: '/api/v1/namespaces/n/persistentvolumeclaims?dryRun=All', object });
    expect(body.status).toEqual({ phase: 'Pending' });
  });

  it('cannot look up a role of unknown kind', async () => {
    const metadata = { name: 'b' };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'X', name: 'r' };
    const object = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata, roleRef };
    const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/n/rolebindings';
    expect(await write({ path, object, username: 'jane' })).toMatchObject({ status: 500, message: 'unsupported role reference kind: "X"' });
    expect((await write({ path, object })).status).toBe(422);
  });
});

describe('an answer to a question', () => {
  it('returns no fields of the request for a user', async () => {
    const object = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: { name: 'x' } };
    const { body } = await write({ path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', object });
    expect(body.metadata).toEqual({ creationTimestamp: '2026-01-02T03:04:05Z' });
  });

  it('treats every token as invalid', async () => {
    const path = '/apis/authentication.k8s.io/v1/tokenreviews';
    const object = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 't' } };
    const { body, notes } = await write({ path, object });
    expect(body.status).toEqual({ user: {}, error: 'invalid bearer token' });
    expect(notes).toContain('tokens cannot be verified: every TokenReview is answered as not authenticated');
    const empty = await write({ path, object: { ...object, spec: {} } });
    expect(empty.message).toBe('token is required for TokenReview in authentication');
  });
});

it('fails to decode a daemon set whose generation is not a number', async () => {
  const annotations = { 'deprecated.daemonset.template.generation': 'x' };
  const object = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'd', annotations }, spec: {} };
  const { status, message } = await write({ path: '/apis/apps/v1/namespaces/n/daemonsets', object });
  expect([status, message]).toEqual([
    400,
    'DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing "x": invalid syntax',
  ]);
});

it('names of resources are shown as JSON, other strings quoted', async () => {
  const container = { name: 'c\u007f', image: 'i', resources: { limits: { '<\u007f': '1' } } };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [container] } };
  const { message } = await write({ path: '/api/v1/namespaces/n/pods', object });
  expect(message).toContain('resources.limits[<\u007f]: Invalid value: "\\u003c\u007f": name part must');
  expect(message).toContain('spec.containers[0].name: Invalid value: "c\\x7f": a lowercase');
});
