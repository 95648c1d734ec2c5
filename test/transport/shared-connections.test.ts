import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2';
import type { Server } from 'node:net';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import type { WebhookAnswer } from '../../src/kubernetes/webhook-call.js';
import { createTransport } from '../../src/transport/call-webhook.js';
import { call, certificates, closeServers, started } from './loopback.js';

afterAll(closeServers);

interface Hook {
  readonly send: (deadlineMs?: number) => Promise<WebhookAnswer>;
  /** Streams that are not answered yet. */
  readonly waiting: ServerHttp2Stream[];
  readonly connections: () => number;
  /** Resolves when this many streams wait. */
  readonly untilWaiting: (count: number) => Promise<void>;
}

/** A webhook that answers when the test does. */
async function startHook(settings: { readonly maxConcurrentStreams?: number } = {}): Promise<Hook> {
  const { ca, cert, key } = await certificates();
  const server: Http2SecureServer = createSecureServer({ cert, key, allowHTTP1: false, settings });
  const waiting: ServerHttp2Stream[] = [];
  let connections = 0;
  let onChange = (): void => undefined;
  server.on('session', () => {
    connections += 1;
  });
  server.on('sessionError', () => undefined);
  server.on('stream', stream => {
    stream.on('error', () => undefined).resume();
    waiting.push(stream);
    onChange();
  });
  const port = await started(server as unknown as Server);
  const transport = createTransport({ keepConnections: true });
  onTestFinished(() => transport.close());
  const untilWaiting = async (count: number): Promise<void> => {
    while (waiting.length < count) {
      await new Promise<void>(resolve => {
        onChange = resolve;
      });
    }
  };
  const send: Hook['send'] = (deadlineMs = 5_000) => transport.callWebhook(call(port, { caBundle: ca, deadlineMs }));
  return { send, waiting, connections: () => connections, untilWaiting };
}

function answerAll({ waiting }: Hook): void {
  for (const stream of waiting.splice(0)) {
    if (stream.destroyed) continue;
    stream.respond({ ':status': 200 });
    stream.end('{}');
  }
}

const outcomes = (answers: readonly WebhookAnswer[]): string[] =>
  answers.map(answer => (answer.outcome === 'failed' ? answer.message : answer.outcome));
const answered = (count: number): string[] => Array<string>(count).fill('answered');

function callMany({ send }: Hook, count: number): Promise<WebhookAnswer[]> {
  return Promise.all(Array.from({ length: count }, () => send()));
}

it('sends concurrent calls over one connection, from the first on, and again later', { timeout: 10_000 }, async () => {
  const hook = await startHook();
  for (const count of [10, 1, 5]) {
    const calls = callMany(hook, count);
    await hook.untilWaiting(count);
    answerAll(hook);
    expect(outcomes(await calls)).toEqual(answered(count));
  }
  expect(hook.connections()).toBe(1);
});

it('opens another connection for more requests than the server takes at a time', { timeout: 10_000 }, async () => {
  const hook = await startHook({ maxConcurrentStreams: 3 });
  const first = callMany(hook, 1);
  await hook.untilWaiting(1);
  answerAll(hook);
  await first;
  const calls = callMany(hook, 6);
  await hook.untilWaiting(6);
  expect(hook.connections()).toBe(2);
  answerAll(hook);
  expect(outcomes(await calls)).toEqual(answered(6));
});

it('ends only the call whose time is over', { timeout: 10_000 }, async () => {
  const hook = await startHook();
  const late = hook.send(1_000);
  await hook.untilWaiting(1);
  const other = hook.send();
  await hook.untilWaiting(2);
  expect(outcomes([await late])).toEqual([expect.stringContaining('context deadline exceeded')]);
  const next = hook.send();
  await hook.untilWaiting(3);
  answerAll(hook);
  expect(outcomes([await other, await next])).toEqual(answered(2));
  expect(hook.connections()).toBe(1);
});

it('fails all calls of a connection that breaks, and connects again', { timeout: 10_000 }, async () => {
  const hook = await startHook();
  const calls = callMany(hook, 3);
  await hook.untilWaiting(3);
  hook.waiting.splice(0)[0]?.session?.destroy();
  const failures = outcomes(await calls);
  expect([failures.length, failures.includes('answered')]).toEqual([3, false]);
  const again = callMany(hook, 1);
  await hook.untilWaiting(1);
  answerAll(hook);
  expect([outcomes(await again), hook.connections()]).toEqual([answered(1), 2]);
});
