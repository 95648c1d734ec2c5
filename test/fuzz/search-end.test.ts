import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import Fuzz from '../../commands/fuzz.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { searchEnd } from '../../src/cli/commands/fuzz/search-end.js';
import { CutOff } from '../../src/fuzz/pipeline/cut-off.js';
import type { CallWebhook, WebhookAnswer, WebhookCall } from '../../src/kubernetes/webhook-call.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { searched } from './searched.js';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
  vi.useRealTimers();
});

/** Starts a webhook whose first answers are whole, and whose later ones never end. */
async function dripping(wholeAnswers: number): Promise<readonly string[]> {
  const { cert, key, ca } = await issueServingPair({ dns: [], ips: [] }, new Date());
  const { folder, remove } = temporaryFolder({ 'ca.crt': ca });
  let answered = 0;
  const server: Server = createServer({ cert, key }, async (request, response) => {
    const { uid } = JSON.parse(Buffer.concat(await request.toArray()).toString()).request;
    const answer = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true } };
    answered += 1;
    if (answered <= wholeAnswers) return response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    response.socket?.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => response.socket?.write('x: y\r\n'), 20);
    response.on('close', () => clearInterval(timer));
    return undefined;
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  opened.push(
    remove,
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const { port } = server.address() as AddressInfo;
  return ['--url', `https://127.0.0.1:${port}`, '--ca-file', `${folder}/ca.crt`, '--phase', 'validating', '--kind', 'pods', '--seed', '1'];
}

const timeoutMs = 10_000;

describe('a webhook whose headers drip without an end', () => {
  it.each([
    [0, 4, 'error: the webhook cannot be called: it answered no review before the end of the search\n'],
    [3, 0, 'note: a review was not answered before the end of the search; a longer --time shows whether it is a bug\n'],
  ])('ends with the search after %i answers, with exit code %i and without a finding', async (wholeAnswers, code, sentence) => {
    const argv = await dripping(wholeAnswers);
    const started = performance.now();
    const { exitCode, stdout, stderr } = await runCommand(Fuzz, [...argv, '--time', '500ms']);
    expect(performance.now() - started).toBeLessThan(timeoutMs);
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(sentence)]);
    if (code === 0) expect(stdout).toContain('0 findings');
  });
});

const call = { deadlineMs: timeoutMs } as WebhookCall;
const timedOut = (durationMs: number): WebhookAnswer => ({ outcome: 'failed', class: 'time', message: 'deadline', durationMs });
const whole: WebhookAnswer = { outcome: 'answered', statusCode: 200, headers: [], body: new Uint8Array(), durationMs: 1 };

describe('the end of a search', () => {
  it.each([
    [Number.POSITIVE_INFINITY, timeoutMs],
    [30_000, timeoutMs],
    [4000, 4000],
    [10, 1000],
    [-5000, 1000],
  ])('with %s ms left gives a call %i ms', async (left, given) => {
    const times: number[] = [];
    const { limit } = searchEnd(() => left, new AbortController().signal);
    await limit(async ({ deadlineMs }) => {
      times.push(deadlineMs);
      return whole;
    })(call);
    expect(times).toEqual([given]);
  });

  it('leaves the answers of calls that had all of their own time, and failures of other kinds', async () => {
    const { limit, cutOff } = searchEnd(() => 30_000, new AbortController().signal);
    expect(await limit(async () => timedOut(timeoutMs))(call)).toEqual(timedOut(timeoutMs));
    const late = searchEnd(() => 0, new AbortController().signal);
    expect(await late.limit(async () => timedOut(20))(call)).toEqual(timedOut(20));
    expect([cutOff(), late.cutOff()]).toEqual([undefined, undefined]);
  });

  it('cuts off a call, and sends no other one', async () => {
    const answers = [whole, timedOut(1000), whole];
    const send = vi.fn<CallWebhook>(async () => answers.shift() ?? whole);
    const { limit, cutOff } = searchEnd(() => 0, new AbortController().signal);
    const limited = limit(send);
    expect(await limited(call)).toBe(whole);
    await expect(limited(call)).rejects.toThrow(CutOff);
    await expect(limited(call)).rejects.toThrow(CutOff);
    expect([send.mock.calls.length, cutOff()]).toEqual([2, 'some']);
  });

  it('cuts off what runs soon after an interruption', async () => {
    vi.useFakeTimers();
    const interruption = new AbortController();
    const { limit, cutOff } = searchEnd(() => 60_000, interruption.signal);
    const result = expect(limit(() => new Promise(() => {}))(call)).rejects.toThrow(CutOff);
    interruption.abort();
    await vi.advanceTimersByTimeAsync(999);
    await result;
    expect(cutOff()).toBe('all');
  });
});

it('a call that is cut off is not a finding and ends the search, whichever call it is', async () => {
  for (let last = 1; last < 40; last += 3) {
    let calls = 0;
    const answer = () => {
      calls += 1;
      if (calls >= last) throw new CutOff();
      return {};
    };
    const { findings, bodies } = await searched('validating', answer, { checks: ['crash', 'slow', 'unsteady'], runs: 60 });
    expect([findings, bodies.length >= last]).toEqual([[], true]);
  }
});
