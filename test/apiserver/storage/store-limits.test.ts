import { describe, expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import type { Report } from '../../../src/apiserver/report/report.js';
import { checkTransactionSize } from '../../../src/apiserver/storage/store-limits.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { scriptedReplies } from '../../../src/conformance/scripted-replies.js';
import { isMap, toValue, type ValueMap } from '../../../src/go/value.js';
import { clusterStateWith } from '../../support/cluster-state.js';

function map(value: object): ValueMap {
  const made = toValue(value);
  if (!isMap(made)) throw new Error('no object');
  return made;
}

function definitionOf(group: string, plural: string): ValueMap {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return map({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Thing', plural },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
}

/** Returns the error for storing that many bytes at a key of etcd. */
function storing(value: number, key: string, revision?: bigint): string {
  try {
    checkTransactionSize({ key: Buffer.byteLength(key), value }, revision);
    return 'stored';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("etcd's limit, measured with a real one", () => {
  it.each([
    [1_572_755, 'team', 'a', 'stored'],
    [1_572_756, 'team', 'a', 'etcdserver: request is too large'],
    [1_572_695, 'team-with-a-longer-name', 'another-name', 'stored'],
    [1_572_696, 'team-with-a-longer-name', 'another-name', 'etcdserver: request is too large'],
    [2_090_200, 'team', 'a', 'etcdserver: request is too large'],
    [2_100_200, 'team', 'a', 'rpc error: code = ResourceExhausted desc = trying to send message larger than max (2100295 vs. 2097152)'],
  ])('%d bytes of %s/%s', (bytes, namespace, name, answer) => {
    expect(storing(bytes, `/registry/example.com/things/${namespace}/${name}`)).toBe(answer);
  });

  it.each([
    [1_572_701, 'a', 212n, 'stored'],
    [1_572_702, 'a', 212n, 'etcdserver: request is too large'],
    [1_572_635, 'a-longer-name-than-that', 217n, 'stored'],
    [1_572_636, 'a-longer-name-than-that', 217n, 'etcdserver: request is too large'],
    [2_100_213, 'a', 217n, 'rpc error: code = ResourceExhausted desc = trying to send message larger than max (2100362 vs. 2097152)'],
  ])('%d bytes of an update of default/%s', (bytes, name, revision, answer) => {
    expect(storing(bytes, `/registry/w.example.com/lamps/default/${name}`, revision)).toBe(answer);
  });

  it("rejects an update over etcd's size limit, except in a dry run", async () => {
    const metadata = { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z' };
    const lamp = { apiVersion: 'w.example.com/v1', kind: 'Thing', metadata };
    const state = clusterStateWith({ objects: [definitionOf('w.example.com', 'lamps'), map(lamp)] });
    const body = Buffer.from(JSON.stringify({ ...lamp, spec: 'x'.repeat(1_600_000) }));
    const put = (query: string): Promise<Report> => {
      const path = `/apis/w.example.com/v1/namespaces/default/lamps/a${query}`;
      return handleCall({ method: 'PUT', path, body, contentType: 'application/json' }, state, effectsFor(scriptedReplies([]).callWebhook));
    };
    const { answer } = await put('');
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      500,
      expect.objectContaining({ message: 'etcdserver: request is too large' }),
    ]);
    expect((await put('?dryRun=All')).answer.status).toBe(200);
  });
});
