import { expect, it } from 'vitest';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { stateOf } from '../../src/client/manifests/cluster-state.js';
import { inputFor } from '../../src/fuzz/inputs/input.js';
import { largerOf } from '../../src/fuzz/inputs/larger.js';
import { mayGrow } from '../../src/fuzz/run/growth.js';
import { targetsOf } from '../../src/fuzz/run/targets.js';
import { isMap, listAt, toValue } from '../../src/go/value.js';
import { defaultMinor } from '../../src/kubernetes/kubernetes-version.js';
import { defaultServerOptions } from '../../src/kubernetes/server-options.js';
import type { WebhookAnswer, WebhookCall } from '../../src/kubernetes/webhook-call.js';

const now = (): Date => new Date('2026-01-01T00:00:00Z');
const state = stateOf(
  [],
  { server: apiServers({ minor: defaultMinor, featureGates: '' }), options: defaultServerOptions, presumesNamespaces: true },
  { uid: () => 'a', now },
);
const [target] = targetsOf(state, { kinds: [{ text: 'pods', name: 'pods', group: undefined }], seeds: [], byRules: false });

/** A creation of a pod with variables. */
function withVariables(count: number) {
  const env = Array.from({ length: count }, (_, i) => ({ name: `N${i}` }));
  const object = toValue({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'a', image: 'a', env }] },
  });
  if (target === undefined || !isMap(object)) throw new Error('pods are served');
  return inputFor(target, object);
}

function answered(durationMs: number): WebhookAnswer {
  return { outcome: 'answered', statusCode: 200, headers: [], body: Buffer.from('{}'), durationMs };
}

const call: WebhookCall = {
  ...{ phase: 'validating', configuration: 'a', webhook: 'a', url: 'https://a/?timeout=10s', address: { host: 'a', port: 443 } },
  ...{
    serverName: 'a',
    caBundle: undefined,
    timeoutSeconds: 10,
    deadlineMs: 10_000,
    apiVersion: 'admission.k8s.io/v1',
    uid: 'a',
    body: '{}',
  },
};

it.each([
  ['long', 10, [500], true],
  ['much longer with many items, each time', 600, [30, 31, 29], true],
  ['longer with many items once', 600, [30, 2], false],
  ['longer with few items', 10, [30, 30, 30], false],
  ['as fast with many items', 600, [9, 9, 9], false],
  ['late, which is a finding already', 600, [6000, 6000, 6000], false],
])('enlarges objects after an answer that was %s', async (_, count, durations, expected) => {
  const [first = 0, ...others] = durations;
  const run = { fastestMs: 1, ahead: { settle: async () => {} } };
  const made = {
    input: withVariables(count),
    exchanges: [{ call, answer: answered(first) }],
    send: async () => answered(others.shift() ?? 1),
  };
  expect(await mayGrow(run, made)).toBe(expected);
});

it('enlarges the longest list, up to what the API server takes', () => {
  const counts = [600, 2400, 12_000].map(count =>
    largerOf(withVariables(count)).map(({ object }) => listAt(object, 'spec', 'containers', 0, 'env').length),
  );
  expect(counts[0]).toContain(2400);
  expect(counts[1]).toContain(9600);
  expect(Math.max(...(counts[2] ?? []))).toBe(12_000);
});
