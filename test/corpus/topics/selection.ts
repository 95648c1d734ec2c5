import { randomUUID } from 'node:crypto';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { recordedCase } from '../../../src/conformance/recorded-case.js';
import { type MatchLine, matchLine } from '../../../src/conformance/request-line.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { apiServers } from '../../support/server.js';

import { answerDifference, isStatusTree, type ProducedAnswer, type RecordedAnswer } from '../compare/answer.js';
import { isObject, parseTree, printTree } from '../compare/json-tree.js';
import { masked } from '../compare/mask.js';
import { type ProducedReview, type RecordedReview, reviewDifference, reviewsDifference } from '../compare/reviews.js';
import type { Difference } from '../figures.js';
import type { CorpusCase, CorpusFile } from '../files.js';

type Called = Record<string, unknown>;

interface Review extends RecordedReview {
  readonly answer?: { readonly response?: Record<string, unknown>; readonly status?: number; readonly body?: string };
}

interface Recorded extends CorpusCase {
  readonly called: readonly Called[];
  readonly reviews?: readonly Review[];
  readonly answer: RecordedAnswer;
  readonly call: { readonly method: string };
  readonly stored?: unknown;
  readonly volatile?: readonly string[];
}

/** Files whose reviews were recorded for every call; in others, bodies that differ only in their uid were recorded once. */
const perCall = /^(reinvocation|timeouts|deletes)\//;

/** Compares the called webhooks, ordered for mutating and as a set for validating ones, then the bodies, then the answer. */
export function differenceIn(file: CorpusFile): Difference {
  const document = toValue({ ...file.document, cases: [] }) as ValueMap;
  return async (testCase: CorpusCase) => {
    const recorded = testCase as Recorded;
    const { reviews = [], answer: _, called, ...inputs } = recorded;
    const replies = reviews.some(r => r.answer !== undefined) ? reviews.map(replyOf) : undefined;
    const line = await matchLine(
      recordedCase(toValue({ ...inputs, replies }), { document, servers: apiServers, definitions: undefined }, randomUUID),
      effectsFor,
    );
    return calledDifference(recorded, called, line.called) ?? clientDifference(recorded, line.answer) ?? bodiesDifference(recorded, line);
  };
}

/**
 * The recorder reformatted answers, and did not list random values and times in objects. Asked twice, the API server
 * creates the same object with another uid and another time (`dryRun=All` too), and writes a Status without a blank:
 * `{"kind":"Status","apiVersion":"v1","metadata":{},...,"code":400}` and a line break. So a Status must be the recorded one without the
 * recorder's blanks, to the byte; of objects, the values that a call of this method makes up count by their kind.
 */
function clientDifference({ answer: recorded, call, stored }: Recorded, produced: ProducedAnswer): string | undefined {
  const tree = parseTree(recorded.body ?? '');
  if (recorded.body === undefined || !isObject(tree)) return answerDifference(recorded, produced);
  if (isStatusTree(tree)) return answerDifference({ ...recorded, body: `${printTree(tree)}\n` }, produced);
  const names = [...(stored == null ? madeOnCreate : []), ...(madeUp[call.method] ?? [])];
  const [before, now] = [recorded.body, produced.body].map(body =>
    withoutPodSuffix(
      masked(
        body,
        names.map(name => `/metadata/${name}`),
      ),
    ),
  );
  return answerDifference({ ...recorded, body: before ?? '' }, { ...produced, body: now ?? '' });
}

const madeOnCreate = ['uid', 'creationTimestamp'];

const madeUp: Readonly<Record<string, readonly string[]>> = {
  POST: ['resourceVersion', 'managedFields/0/time'],
  PATCH: ['resourceVersion', 'managedFields/0/time', 'managedFields/1/time'],
  DELETE: ['resourceVersion', 'deletionTimestamp'],
};

/** The volume of a pod's token has a random name. */
function withoutPodSuffix(body: string): string {
  return body.replace(/(?<="kube-api-access-)[bcdfghjklmnpqrstvwxz2456789]{5}(?=")/g, '<random>');
}

function replyOf(review: Review): Record<string, unknown> {
  const at = { phase: review.phase, configuration: review.configuration, webhook: review.webhook };
  const scripted = review.answer ?? { response: { allowed: true } };
  if (scripted.response === undefined) return { ...at, status: scripted.status, headers: {}, body: scripted.body ?? '' };
  const { apiVersion } = JSON.parse(review.body) as { apiVersion: string };
  const body = JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: { uid: '{{uid}}', ...scripted.response } });
  return { ...at, status: 200, headers: { 'Content-Type': 'application/json' }, body };
}

function calledDifference(recorded: Recorded, wanted: readonly Called[], produced: readonly Called[]): string | undefined {
  const generated = recorded.name.includes('generate-name');
  const texts = (calls: readonly Called[], phase: string): string[] =>
    calls.filter(c => (c['phase'] === 'mutating') === (phase === 'mutating')).map(c => textOf(c, generated));
  const mutating = [texts(wanted, 'mutating'), texts(produced, 'mutating')].map(t => t.join('\n'));
  const validating = [texts(wanted, 'validating'), texts(produced, 'validating')].map(t => t.sort().join('\n'));
  if (mutating[0] !== mutating[1]) return firstLine('mutating', mutating);
  return validating[0] === validating[1] ? undefined : firstLine('validating', validating);
}

/** Returns the first difference of two lists of calls. */
function firstLine(phase: string, [recorded = '', produced = '']: readonly string[]): string {
  const [a, b] = [recorded.split('\n'), produced.split('\n')];
  const at = a.findIndex((line, i) => line !== b[i]);
  const i = at < 0 ? a.length : at;
  return `${phase} calls: ${a.length} recorded, ${b.length} produced; call ${i} recorded\n${a[i] ?? 'none'}\nproduced\n${b[i] ?? 'none'}`;
}

/** Returns a call as text with sorted keys; generated names are reduced to their prefix. */
function textOf(call: Called, generated: boolean): string {
  const name = call['name'];
  const shown =
    generated && typeof name === 'string' ? { ...call, name: name.replace(/(?<=-)[bcdfghjklmnpqrstvwxz2456789]{5}$/, '') } : call;
  return JSON.stringify(sorted(shown));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
}

function bodiesDifference(recorded: Recorded, line: MatchLine): string | undefined {
  const { reviews, volatile = [], name } = recorded;
  if (reviews === undefined) return undefined;
  if (perCall.test(name)) {
    const order = (r: ProducedReview): string => (r.phase === 'mutating' ? '0' : `1 ${r.configuration ?? ''} ${r.webhook ?? ''}`);
    const inOrder = <T extends ProducedReview>(all: readonly T[]): T[] =>
      [...all].sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
    return reviewsDifference({ volatile, reviews: inOrder(reviews as readonly (Review & ProducedReview)[]) }, inOrder(line.reviews), [
      'phase',
      'configuration',
      'webhook',
      'timeout',
    ]);
  }
  const complete = reviews.map(r => ({ volatile, ...r }));
  for (const produced of line.reviews) {
    if (complete.some(r => reviewDifference(r, produced, []) === undefined)) continue;
    const near = complete.find(r => r.phase === produced.phase);
    return near === undefined ? `review of ${produced.webhook}: not recorded` : reviewDifference(near, produced, []);
  }
  const missing = complete.find(r => !line.reviews.some(p => reviewDifference(r, p, []) === undefined));
  return missing === undefined ? undefined : `review of ${missing.webhook}: not produced`;
}
