import { describe, expect, it } from 'vitest';
import { normalizedMessage } from '../../src/replay/essential-text.js';
import { callOutcomeOf, changesBetween, type ReplayedAnswer } from '../../src/replay/outcome.js';

const reference = { group: '', resource: 'pods', subresource: '', namespace: 'shop', name: 'web', generateName: '' };

const outcome = (answered: Partial<ReplayedAnswer>) => callOutcomeOf({ code: 201, message: '', annotations: {}, ...answered }, reference);

const denial = (webhook: string, message: string): Partial<ReplayedAnswer> => ({
  code: 403,
  message: `admission webhook "${webhook}" denied the request: ${message}`,
});

const patched = (webhook: string, path: string): Partial<ReplayedAnswer> => ({
  annotations: {
    'patch.webhook.admission.k8s.io/round_0_index_0': JSON.stringify({ configuration: 'm', webhook, patch: [{ op: 'add', path }] }),
  },
});

describe('changes from a log to its replay', () => {
  it('are refusals, permissions, other messages and other patches', () => {
    expect(changesBetween(outcome({}), outcome(denial('g.example.com', 'no')))).toMatchObject([
      { change: 'newly-refused', by: 'g.example.com' },
    ]);
    expect(changesBetween(outcome(denial('g.example.com', 'no')), outcome({}))).toMatchObject([
      { change: 'newly-allowed', by: 'g.example.com' },
    ]);
    expect(changesBetween(outcome(denial('g.example.com', 'a')), outcome(denial('g.example.com', 'b')))).toMatchObject([
      { change: 'other-refusal' },
    ]);
    expect(changesBetween(outcome({}), outcome(patched('m.example.com', '/spec/containers/0/image')))).toEqual([
      { change: 'other-patch', by: 'm.example.com', message: 'patches add /spec/containers/*/image' },
    ]);
    expect(changesBetween(outcome(patched('m.example.com', '/metadata')), outcome({}))).toMatchObject([
      { change: 'other-patch', message: 'no longer patches the object' },
    ]);
  });

  it('are nothing for equal outcomes, whatever the names in them', () => {
    expect(changesBetween(outcome(denial('g.example.com', 'no')), outcome(denial('g.example.com', 'no')))).toEqual([]);
    expect(changesBetween(outcome(patched('m.example.com', '/metadata')), outcome(patched('m.example.com', '/metadata')))).toEqual([]);
  });

  it('are nothing when the webhook of the log refuses, too, but another one was faster', () => {
    const logged = outcome(denial('a.example.com', 'no'));
    const both = [denial('a.example.com', 'no'), denial('b.example.com', 'never')];
    const replayed = outcome({ ...both[1], refusals: both.map(({ message = '' }) => message) });
    expect(changesBetween(logged, replayed)).toEqual([]);
    expect(changesBetween(logged, outcome({ ...both[1], refusals: [both[1]?.message ?? ''] }))).toMatchObject([
      { change: 'other-refusal' },
    ]);
  });

  it('compares what the level of the log shows: a mutation without its patch', () => {
    const mutation = {
      'mutation.webhook.admission.k8s.io/round_0_index_0': '{"configuration":"m","webhook":"m.example.com","mutated":true}',
    };
    expect(changesBetween(outcome({ annotations: mutation }), outcome(patched('m.example.com', '/metadata')))).toEqual([]);
  });

  it('names a webhook that cannot be called, whether its failure policy lets the call through or not', () => {
    const failed = { code: 500, message: 'Internal error occurred: failed calling webhook "g.example.com": no' };
    expect(changesBetween(outcome({}), outcome(failed))).toMatchObject([{ change: 'error', by: 'g.example.com' }]);
    const open = { annotations: { 'failed-open.validating.webhook.admission.k8s.io/round_0_index_0': 'g.example.com' } };
    expect(changesBetween(outcome({}), outcome(open))).toMatchObject([{ change: 'error', by: 'g.example.com' }]);
    expect(changesBetween(outcome(open), outcome(open))).toEqual([]);
  });
});

describe('a normalized message', () => {
  it('has no names, ids and times of one object', () => {
    const message = 'pod "web" in shop: 6f1c7d3e-1111-4222-8333-944445555666 at 2026-01-02T15:04:05Z, 123456 left, web-app stays';
    expect(normalizedMessage(message, reference)).toBe('pod "<name>" in <namespace>: <uid> at <time>, <number> left, web-app stays');
  });

  it('has no generated name', () => {
    expect(normalizedMessage('web-x7k2q is bad', { namespace: 'shop', name: '', generateName: 'web-' })).toBe('<name> is bad');
  });
});
