import { describe, expect, it } from 'vitest';
import { newServedCluster } from './support/served-cluster.js';

const collection = '/api/v1/componentstatuses';
const refused = (port: number): string =>
  `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`;
const withHealth = (name: string, status: string, message: string): object => ({
  metadata: { name },
  conditions: [{ type: 'Healthy', status, message }],
});
const scheduler = withHealth('scheduler', 'False', refused(10259));
const everything = [withHealth('controller-manager', 'False', refused(10257)), withHealth('etcd-0', 'True', 'ok'), scheduler];
const list = (items: object[]): object => ({ kind: 'ComponentStatusList', apiVersion: 'v1', metadata: {}, items });
const failure = (code: number, reason: string, message: string): object =>
  expect.objectContaining({ status: 'Failure', code, reason, message });

/** As kube-apiserver v1.37 answers without a scheduler and a controller manager; it returns them in random order. */
describe('componentstatuses', () => {
  it.each([
    ['all', '', 200, list(everything)],
    ['one', '/scheduler', 200, { kind: 'ComponentStatus', apiVersion: 'v1', ...scheduler }],
    ['one that is not there', '/x', 404, failure(404, 'NotFound', 'componentstatus "x" not found')],
    ['those with a label', '?labelSelector=a%3Db', 200, list([])],
    ['those with a name', '?fieldSelector=metadata.name%3Dscheduler', 200, list([scheduler])],
    ['a watch', '?watch=1', 405, failure(405, 'MethodNotAllowed', 'watch is not supported on resources of kind "componentstatuses"')],
  ])('%s', async (_, path, code, body) => {
    const answer = await newServedCluster([]).request('GET', collection + path);
    expect([answer.status, JSON.parse(String(answer.body))]).toEqual([code, body]);
    expect(answer.headers).toContainEqual(['Warning', '299 - "v1 ComponentStatus is deprecated in v1.19+"']);
  });

  it('are shown as a table', async () => {
    const answer = await newServedCluster([]).request('GET', collection, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    });
    const { metadata, rows } = JSON.parse(String(answer.body));
    expect(metadata).toEqual({});
    expect(rows.map(({ cells }: { cells: string[] }) => cells)).toEqual([
      ['controller-manager', 'Unhealthy', refused(10257), ''],
      ['etcd-0', 'Healthy', 'ok', ''],
      ['scheduler', 'Unhealthy', refused(10259), ''],
    ]);
  });
});
