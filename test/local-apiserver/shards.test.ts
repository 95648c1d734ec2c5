import { describe, expect, it } from 'vitest';
import { apiServers } from '../support/server.js';
import { newServedCluster } from './support/served-cluster.js';

const [first, half, end] = ['0x0000000000000000', '0x8000000000000000', '0x10000000000000000'];
const range = (from: string, to: string, field = 'namespace'): string => `shardRange(object.metadata.${field}, '${from}', '${to}')`;

/** Recorded from kube-apiserver v1.38.0-beta.0. */
describe('shards of a list', () => {
  const list = async (selector: string, minor: 'v1.37' | 'v1.38' = 'v1.38', accept = 'application/json'): Promise<string> => {
    const { request } = newServedCluster([], apiServers({ minor }));
    const path = `/api/v1/namespaces/kube-system/configmaps?shardSelector=${encodeURIComponent(selector)}`;
    const { status, body } = await request('GET', path, { headers: { accept } });
    const text = String(body);
    const { message, metadata, items, rows } = JSON.parse(text) as {
      message?: string;
      metadata: { shardInfo?: object };
      items?: unknown[];
      rows?: unknown[];
    };
    return message ?? JSON.stringify({ status, shards: metadata.shardInfo, items: (items ?? rows ?? []).length });
  };

  it('are ranges of the hash of a field', async () => {
    const both = `${range(first, half)} || ${range(half, end)}`;
    const found = (selector: string, items: number): string => JSON.stringify({ status: 200, shards: { selector }, items });
    expect(await list(both.replaceAll(', ', ','))).toBe(found(both, 1));
    const halves = [await list(range(first, half)), await list(range(half, end))];
    expect(halves).toEqual([found(range(first, half), 0), found(range(half, end), 1)]);
  });

  it('are not named in a table, and do not exist up to v1.37', async () => {
    const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    expect(await list(range(first, end), 'v1.38', table)).toBe('{"status":200,"items":1}');
    expect(await list('bad', 'v1.37')).toBe('{"status":200,"items":1}');
  });

  it.each([
    ['bad', 'unexpected expression kind 3; expected shardRange() call or || operator'],
    ['f(1)', 'unsupported function "f"; only shardRange() and || are allowed'],
    ['shardRange(1)', 'shardRange() requires exactly 3 arguments, got 1'],
    [
      range(first, half, 'name'),
      'unsupported field path "object.metadata.name"; supported: object.metadata.uid, object.metadata.namespace',
    ],
    [range('0x0', half), 'hexStart must be a 0x-prefixed 16-digit hex value, got "0x0" (did you mean "0x0000000000000000"?)'],
    [range(half, first), 'shard range start 0x8000000000000000 must be less than end 0x0000000000000000'],
    [
      `${range(first, half)} || ${range(half, end, 'uid')}`,
      'all shard ranges must use the same field, got "object.metadata.namespace" and "object.metadata.uid"',
    ],
  ])('are refused: %s', async (selector, why) => {
    expect(await list(selector)).toBe(`invalid shard selector: ${why}`);
  });
});
