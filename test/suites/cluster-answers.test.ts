import { describe, expect, it } from 'vitest';
import type { WebhookReport } from '../../src/apiserver/admission/webhook-report.js';
import {
  type AnswerDifference,
  type ComparedAnswer,
  answerDifferences as compareAnswers,
} from '../../src/suites/checks/cluster-answers.js';
import { webhooksAtFault } from '../../src/suites/checks/webhook-at-fault.js';

const answer = (status: number, document: object, warnings: readonly string[] = []) => ({
  status,
  warnings,
  body: JSON.stringify(document),
});

const answerDifferences = (mine: ComparedAnswer, theirs: ComparedAnswer, given: string): string[] =>
  compareAnswers({ mine, theirs, given, webhooks: webhooksAtFault([]) }).map(({ message }) => message);

const pod = (metadata: object, spec: object = {}) => ({ kind: 'Pod', metadata, spec });

describe('the answers of a cluster and of this program', () => {
  it('agree where only uids, times and random names differ that neither request nor stored object has', () => {
    const uids = ['0a10ede1-2876-4096-8bd6-6716e4a423e9', '1b20ede1-2876-4096-8bd6-6716e4a423e9'];
    const made = (i: 0 | 1, suffix: string) =>
      answer(
        201,
        pod(
          { name: `web-${suffix}`, generateName: 'web-', uid: uids[i], creationTimestamp: `2026-01-02T03:04:0${i}Z` },
          { volumes: [{ name: `kube-api-access-${suffix}` }] },
        ),
      );
    expect(answerDifferences(made(0, 'x7k2p'), made(1, 'bcdfg'), '{"generateName": "web-"}')).toEqual([]);
    expect(answerDifferences(made(0, 'x7k2p'), made(1, 'bcdfg'), uids[1] ?? '')).toEqual([
      '/metadata/name is "web-bcdfg" in the cluster, and "web-x7k2p" here',
      `/metadata/uid is "${uids[1]}" in the cluster, and "${uids[0]}" here`,
    ]);
  });

  it('agree on addresses and ports that are allocated, unless they were asked for', () => {
    const service = (address: string, port: number) =>
      answer(201, { kind: 'Service', spec: { clusterIP: address, ports: [{ nodePort: port }] } });
    expect(answerDifferences(service('10.0.0.1', 30_001), service('10.96.0.7', 31_234), '')).toEqual([]);
    expect(
      answerDifferences(service('10.0.0.1', 30_001), service('10.96.0.7', 31_234), '{"clusterIP":"10.96.0.7","nodePort":31234}'),
    ).toEqual([
      '/spec/clusterIP is "10.96.0.7" in the cluster, and "10.0.0.1" here',
      '/spec/ports/0/nodePort is 31234 in the cluster, and 30001 here',
    ]);
  });

  it('differ in a field, in both directions', () => {
    expect(answerDifferences(answer(201, pod({}, { a: 1, b: 2 })), answer(201, pod({}, { a: 2, c: 3 })), '')).toEqual([
      '/spec/a is 2 in the cluster, and 1 here',
      '/spec/c is 3 in the cluster, and nothing here',
      '/spec/b is nothing in the cluster, and 2 here',
    ]);
  });

  it('differ in their status, with both messages', () => {
    expect(answerDifferences(answer(201, pod({})), answer(403, { kind: 'Status', message: 'no "x"' }), '')).toEqual([
      'the cluster answers 403 "no \\"x\\"", and here the answer is 201',
    ]);
  });

  it('agree on field errors in another order, and differ in those that one lacks', () => {
    const refused = (...fields: string[]) =>
      answer(422, {
        kind: 'Status',
        message: `p is invalid: [${fields.join(', ')}]`,
        details: { causes: fields.map(field => ({ field, message: 'Required value' })) },
      });
    expect(answerDifferences(refused('a', 'b'), refused('b', 'a'), '')).toEqual([]);
    expect(answerDifferences(refused('a'), refused('b'), '')).toEqual([
      'the cluster refuses b: Required value, and that is not refused here',
      'a: Required value is refused here, and not in the cluster',
    ]);
  });

  it('differ in warnings, whatever their order', () => {
    const warned = (...warnings: string[]) => answer(201, pod({}), warnings);
    expect(answerDifferences(warned('a', 'b'), warned('b', 'a'), '')).toEqual([]);
    expect(answerDifferences(warned('a'), warned('b'), '')).toEqual([
      'the cluster warns "b", and nothing does here',
      'the warning "a" is not the cluster\'s',
    ]);
  });
});

describe('the differences of a cluster', () => {
  const report = (webhook: string, before: object, after: object, warnings: readonly string[] = []): WebhookReport =>
    ({ webhook, warnings, change: { before: JSON.stringify(before), after: JSON.stringify(after) } }) as unknown as WebhookReport;
  const differences = (mine: ComparedAnswer, theirs: ComparedAnswer, ...reports: WebhookReport[]): AnswerDifference[] =>
    compareAnswers({ mine, theirs, given: '', webhooks: webhooksAtFault(reports) });

  it('name the last webhook that changed the field or a part of it', () => {
    const first = report('first', pod({}), pod({ labels: { a: '1', b: '1' } }, { a: { b: 1 } }));
    const second = report('second', pod({ labels: { a: '1', b: '1' } }), pod({ labels: { a: '2', b: '1' } }));
    const mine = answer(201, pod({ labels: { a: '2', b: '1', c: '1' } }, { a: { b: 1 } }));
    expect(differences(mine, answer(201, pod({ labels: { b: '0' }, annotations: { d: '1' } }, { a: 1 })), first, second)).toEqual([
      { webhook: 'first', message: 'changes /metadata/labels/b, which is "0" in the cluster, and "1" here' },
      { webhook: 'second', message: 'changes /metadata/labels/a, which is nothing in the cluster, and "2" here' },
      { webhook: '', message: '/metadata/labels/c is nothing in the cluster, and "1" here' },
      { webhook: '', message: '/metadata/annotations is {"d":"1"} in the cluster, and nothing here' },
      { webhook: 'first', message: 'changes /spec/a, which is 1 in the cluster, and {"b":1} here' },
    ]);
  });

  it('name the webhook of a warning, and that of a refusal there or here', () => {
    const warned = answer(201, pod({}), ['w']);
    expect(differences(warned, answer(201, pod({})), report('first', {}, {}, ['w']))).toEqual([
      { webhook: 'first', message: 'warns "w", and not in the cluster' },
    ]);
    const refusal = 'admission webhook "v.example.com" denied the request: no';
    const failure = 'Internal error occurred: failed calling webhook "v.example.com": failed to call webhook: EOF';
    for (const message of [refusal, failure]) {
      const refused = answer(403, { kind: 'Status', message });
      expect([differences(answer(201, pod({})), refused), differences(refused, answer(201, pod({})))]).toEqual([
        [
          {
            webhook: 'v.example.com',
            message: expect.stringMatching(/^decides otherwise: the cluster answers 403 .*, and here the answer is 201$/),
          },
        ],
        [
          {
            webhook: 'v.example.com',
            message: expect.stringMatching(/^decides otherwise: the cluster answers 201, and here the answer is 403 /),
          },
        ],
      ]);
    }
  });
});
