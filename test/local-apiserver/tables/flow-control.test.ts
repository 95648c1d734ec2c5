import { describe, expect, it } from 'vitest';
import { newServedCluster } from '../support/served-cluster.js';
import { tableRows } from '../support/table-rows.js';

const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1';

describe('Tables of flow control', () => {
  it('sort flow schemas by precedence', async () => {
    const rows = await tableRows(newServedCluster(), `${flowControl}/flowschemas`);
    const precedences = rows.map(([name, , precedence]) => [precedence, name]);
    expect(precedences.slice(0, 3)).toEqual([
      [1, 'exempt'],
      [2, 'probes'],
      [100, 'system-leader-election'],
    ]);
    expect(precedences.at(-1)).toEqual([10_000, 'catch-all']);
  });

  it('show shares of limited priority levels only', async () => {
    const rows = await tableRows(newServedCluster(), `${flowControl}/prioritylevelconfigurations`);
    const shares = new Map(rows.map(([name, , count]) => [name, count]));
    expect([shares.get('exempt'), shares.get('workload-high')]).toEqual(['<none>', 40]);
  });
});
