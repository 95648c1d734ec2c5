import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueServingPair } from '../../../src/certificates/issue.js';
import { readJson } from '../../../src/go/json/reader.js';
import { createPatch, createPatchText } from '../../../src/webhook-server/api/create-patch.js';
import type { WebhookServer } from '../../../src/webhook-server/api/types.js';
import { injector } from '../../../src/webhook-server/injector/injector.js';
import type { LogEntry } from '../../../src/webhook-server/serving/log.js';
import {
  createWebhookServer,
  type RunnableWebhookServer,
  type ServerAddresses,
} from '../../../src/webhook-server/serving/webhook-server.js';
import { root } from '../../support/run-command.js';
import { closeConnections, isSendable, type Received, type RecordedCase, send } from './recorded-case.js';

type PatchCase = {
  readonly name: string;
  readonly original: string;
  readonly changed: string;
  readonly operations?: string;
  readonly error?: string;
};

const recordings = path.join(root, 'fixtures/corpus/serving');
/** By topic. */
const recorded: Readonly<Record<string, readonly unknown[]>> = Object.fromEntries(
  readdirSync(recordings).map(file => [path.basename(file, '.json'), JSON.parse(readFileSync(path.join(recordings, file), 'utf8'))]),
);

let server: RunnableWebhookServer;
let addresses: ServerAddresses;
const log: LogEntry[] = [];

beforeAll(async () => {
  const { cert, key } = await issueServingPair({ dns: [], ips: [] }, new Date());
  server = createWebhookServer({
    host: '127.0.0.1',
    port: 0,
    healthPort: 0,
    metricsPort: 0,
    keyPair: { cert, key },
    log: entry => log.push(entry),
  });
  const handlers = path.join(root, 'fixtures/corpus/serving-handlers.mjs');
  const { default: register } = (await import(handlers)) as { default: (target: WebhookServer) => void };
  register(server);
  for (const name of ['enabled', 'disabled', 'off', 'several']) {
    const folder = path.join(root, 'fixtures/corpus/injector');
    const handler = injector({ config: path.join(folder, `${name}.yaml`), values: path.join(folder, 'values.yaml') });
    server.register(`/inject-${name}`, handler);
    server.register(`/inject-${name}/`, handler);
  }
  addresses = await server.start();
});

afterAll(async () => {
  closeConnections();
  await server.stop();
});

/**
 * Returns the compared parts of an answer: Go iterates over maps in random order, so operations and converted objects are compared as sets.
 */
function comparable({ status, headers, body }: Received): object {
  const shown = ['content-type', 'location', 'x-content-type-options'].map(name => headers.get(name) ?? '');
  return { status, shown, body: comparableBody(body) };
}

function comparableBody(body: string): unknown {
  const patch = /"patch":"([^"]*)"/.exec(body)?.[1];
  if (patch !== undefined) return [body.replace(patch, ''), operationsIn(Buffer.from(patch, 'base64').toString())];
  return body.includes('"convertedObjects":[') ? JSON.parse(body) : body;
}

function operationsIn(text: string): string[] {
  const list = readJson(text);
  return list.type === 'array' ? list.items.map(({ start, end }) => text.slice(start, end)).sort() : [text];
}

function expected({ response }: RecordedCase): Received {
  const headers = new Map((response.headers ?? []).map(([name, value]) => [name.toLowerCase(), value]));
  return { status: response.status ?? 0, headers, body: response.body ?? '' };
}

/** The length of invalid UTF-8 differs in JavaScript: for Go an invalid byte is one byte. */
const uncountable = new Set(['http/decode/351']);

const topics = ['http-bodies', 'http-handlers', 'http-paths', 'http-requests', 'defaulter', 'validator', 'conversion', 'health', 'istio'];

describe('recorded answers of controller-runtime and of the injector', () => {
  it.each(topics)(
    'are given for %s',
    async topic => {
      const cases = (recorded[topic] ?? []) as readonly RecordedCase[];
      const sendable = cases.filter(each => isSendable(each) && !uncountable.has(each.name));
      expect(sendable.length).toBeGreaterThan(cases.length / 2);
      for (const each of sendable) {
        const received = await send(each.listener === 'health' ? (addresses.health ?? '') : addresses.webhook, each);
        expect(comparable(received), each.name).toEqual(comparable(expected(each)));
      }
    },
    60_000,
  );

  /** Answers to bodies that cannot be read; controller-runtime logs each of them. */
  const isUnreadable = ({ status, body }: Received): boolean =>
    status === 400 || /^\{"response":\{"uid":"","allowed":false,.*"code":4/.test(body);

  it.each(['http-bodies', 'http-paths', 'conversion'])(
    'have no stack trace, and one log line for each invalid request of %s',
    async topic => {
      const cases = ((recorded[topic] ?? []) as readonly RecordedCase[]).filter(isSendable);
      let unreadable = 0;
      for (const each of cases) {
        log.length = 0;
        const received = await send(addresses.webhook, each);
        expect(received.body, each.name).not.toMatch(/\n +at /);
        if (!isUnreadable(received)) continue;
        unreadable += 1;
        expect(log, each.name).toEqual([expect.objectContaining({ level: 'error' })]);
      }
      expect(unreadable).toBeGreaterThan(5);
    },
  );

  it('are given for patches between two documents', () => {
    for (const { name, original, changed, operations, error } of recorded['create-patch'] as readonly PatchCase[]) {
      if (error !== undefined) expect(() => createPatch(original, changed), name).toThrow(error);
      else expect(operationsIn(createPatchText(createPatch(original, changed))), name).toEqual(operationsIn(operations ?? ''));
    }
  });
});
