import { expect, it } from 'vitest';
import { write } from '../../support/written-object.js';

const group = 'flowcontrol.apiserver.k8s.io';

const messagesOf = async (kind: string, name: string, spec: object): Promise<string[]> => {
  const object = { apiVersion: `${group}/v1`, kind, metadata: { name }, spec };
  const path = `/apis/${group}/v1/${kind === 'FlowSchema' ? 'flowschemas' : 'prioritylevelconfigurations'}`;
  const { body, notes } = await write({ path, object });
  expect(notes).toEqual([]);
  const causes: { field: string; message: string }[] = body.details?.causes ?? [];
  return causes.map(({ field, message }) => `${field}: ${message}`);
};

const limited = (parts: object) => ({ type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...parts } });
const queue = (queuing: object) => limited({ limitResponse: { type: 'Queue', queuing } });

it.each([
  ['p', limited({}), []],
  ['p', queue({ queues: 16, handSize: 4, queueLengthLimit: 50 }), []],
  ['p', {}, ['spec.type: Required value']],
  [
    'p',
    { type: 'Exempt', limited: {} },
    [
      `spec.type: Invalid value: "Exempt": must be 'Exempt' if and only if \`name\` is 'exempt'`,
      'spec.limited: Forbidden: must be nil if the type is not Limited',
    ],
  ],
  [
    'p',
    limited({ nominalConcurrencyShares: -1, lendablePercent: 101, borrowingLimitPercent: -1, limitResponse: { type: 'X' } }),
    [
      'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
      'spec.limited.limitResponse.type: Unsupported value: "X": supported values: "Queue", "Reject"',
      'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
      'spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer',
    ],
  ],
  [
    'p',
    queue({ queues: 1024, handSize: 8, queueLengthLimit: -1 }),
    [
      'spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be positive',
      'spec.limited.limitResponse.queuing.handSize: Invalid value: 8: required entropy bits of deckSize 1024 and handSize 8 should not be greater than 60',
    ],
  ],
  ['exempt', { type: 'Exempt', exempt: { lendablePercent: 50 } }, []],
  [
    'catch-all',
    limited({ lendablePercent: 1 }),
    [
      `spec: Invalid value: {"Type":"Limited","Limited":{"NominalConcurrencyShares":30,"LimitResponse":{"Type":"Reject","Queuing":null},"LendablePercent":1,"BorrowingLimitPercent":null},"Exempt":null}: spec of 'catch-all' must equal the fixed value`,
    ],
  ],
])('a priority level: %s %j', async (name, spec, messages) => {
  expect(await messagesOf('PriorityLevelConfiguration', name, spec)).toEqual(messages);
});

it('the schema exempt is immutable', async () => {
  const rules = [
    {
      subjects: [{ kind: 'Group', group: { name: 'system:masters' } }],
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    },
  ];
  const spec = { priorityLevelConfiguration: { name: 'exempt' }, matchingPrecedence: 1, rules };
  expect(await messagesOf('FlowSchema', 'exempt', spec)).toEqual([]);
  const [message] = await messagesOf('FlowSchema', 'exempt', { ...spec, matchingPrecedence: 2 });
  expect(message).toMatch(/^spec: Invalid value: .*: spec of 'exempt' must equal the fixed value$/);
});

it('of a status must have unique types of conditions', async () => {
  const metadata = { name: 'p', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-02T03:04:05Z' };
  const stored = { apiVersion: `${group}/v1`, kind: 'PriorityLevelConfiguration', metadata, spec: limited({}) };
  const object = { ...stored, status: { conditions: [{ type: 'A' }, { type: 'A' }, {}] } };
  const { message } = await write({ path: `/apis/${group}/v1/prioritylevelconfigurations/p/status`, stored, object });
  expect(message).toContain('[status.conditions[1].type: Duplicate value: "A", status.conditions[2].type: Required value]');
});
