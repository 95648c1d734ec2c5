import { expect, it } from 'vitest';
import { seatMetricsText } from '../../src/local-apiserver/flow-control/seat-metrics.js';
import { newServedCluster } from './support/served-cluster.js';

const base = '/apis/flowcontrol.apiserver.k8s.io/v1';
const schema = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name: 'mine' },
  spec: {
    matchingPrecedence: 1000,
    priorityLevelConfiguration: { name: 'level' },
    rules: [{ subjects: [{ kind: 'User', user: { name: 'noxu' } }], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }],
  },
};
const level = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name: 'level' },
  spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
};
const named = 'This FlowSchema references the PriorityLevelConfiguration object named "level"';
const missing = { type: 'Dangling', status: 'True', reason: 'NotFound', message: `${named} but there is no such object` };
const found = { type: 'Dangling', status: 'False', reason: 'Found', message: `${named} and it exists` };

it('keeps the condition Dangling of a flow schema, as kube-apiserver v1.36.3 and v1.37.2 do', async () => {
  const { request } = newServedCluster();
  // biome-ignore lint/suspicious/noExplicitAny: an object of the API
  const read = async (): Promise<any> => JSON.parse(String((await request('GET', `${base}/flowschemas/mine`)).body));
  await request('POST', `${base}/flowschemas`, { body: schema });
  const created = await read();
  expect(created.status.conditions).toEqual([{ ...missing, lastTransitionTime: expect.any(String) }]);
  expect(created.metadata.managedFields[0]).toMatchObject({
    manager: 'api-priority-and-fairness-config-consumer-v1',
    operation: 'Apply',
    fieldsV1: {
      'f:status': {
        'f:conditions': {
          'k:{"type":"Dangling"}': { '.': {}, 'f:lastTransitionTime': {}, 'f:message': {}, 'f:reason': {}, 'f:status': {}, 'f:type': {} },
        },
      },
    },
    subresource: 'status',
  });
  await request('POST', `${base}/prioritylevelconfigurations`, { body: level });
  const settled = await read();
  expect(settled.status.conditions).toMatchObject([found]);
  const patch = { body: { spec: { matchingPrecedence: 900 } }, headers: { 'content-type': 'application/merge-patch+json' } };
  await request('PATCH', `${base}/flowschemas/mine`, patch);
  expect((await read()).status).toEqual(settled.status);
  expect((await request('DELETE', `${base}/prioritylevelconfigurations/level`, { body: {} })).status).toBe(200);
  expect((await read()).status.conditions).toMatchObject([missing]);
});

/** What kube-apiserver v1.36.3 printed. */
it('shows the seats of priority levels as metrics', async () => {
  const { request, cluster } = newServedCluster();
  const rows = (): string[] =>
    seatMetricsText(cluster.store)
      .split('\n')
      .filter(line => /^[^#]/.test(line))
      .map(line => line.replace(/^apiserver_flowcontrol_(\w+)_limit_seats\{priority_level="(.*)"\} /, '$1 $2 '));
  expect(rows()).toEqual([
    ...['catch-all 13', 'exempt 0', 'global-default 49', 'leader-election 25', 'node-high 98', 'system 74', 'workload-high 98'].map(
      row => `nominal ${row}`,
    ),
    'nominal workload-low 245',
    ...['catch-all 13', 'exempt 0', 'global-default 24', 'leader-election 25', 'node-high 73', 'system 50', 'workload-high 49'].map(
      row => `lower ${row}`,
    ),
    'lower workload-low 24',
    ...['catch-all 613', 'exempt 600', 'global-default 649', 'leader-election 625', 'node-high 698', 'system 674', 'workload-high 698'].map(
      row => `upper ${row}`,
    ),
    'upper workload-low 845',
  ]);
  await request('POST', `${base}/prioritylevelconfigurations`, { body: level });
  expect(rows()).toEqual(expect.arrayContaining(['nominal level 3', 'nominal workload-low 244']));
});
