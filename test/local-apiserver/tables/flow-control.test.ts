import { describe, expect, it } from 'vitest';
import { newServedCluster } from '../support/served-cluster.js';
import '../../support/install.js';

const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

async function rowsOf(resource: string): Promise<unknown[][]> {
  const { request } = newServedCluster();
  const { body } = await request('GET', `/apis/flowcontrol.apiserver.k8s.io/v1/${resource}`, { headers });
  return JSON.parse(String(body)).rows.map(({ cells }: { cells: unknown[] }) => cells);
}

describe('Tables of flow control', () => {
  it('sort flow schemas by precedence', async () => {
    const precedences = (await rowsOf('flowschemas')).map(([name, , precedence]) => [precedence, name]);
    expect(precedences.slice(0, 3)).toEqual([
      [1, 'exempt'],
      [2, 'probes'],
      [100, 'system-leader-election'],
    ]);
    expect(precedences.at(-1)).toEqual([10_000, 'catch-all']);
  });

  it('show shares of limited priority levels only', async () => {
    const shares = new Map((await rowsOf('prioritylevelconfigurations')).map(([name, , count]) => [name, count]));
    expect([shares.get('exempt'), shares.get('workload-high')]).toEqual(['<none>', 40]);
  });
});
