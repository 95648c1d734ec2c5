import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SeenExchange } from '../../src/proxy/exchange.js';
import { createRecorder, type RecordedExchange, type RecorderOptions } from '../../src/proxy/recorder.js';
import { recordingsFolder } from '../../src/proxy/recordings-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { review } from './proxied-webhook.js';

const made: { remove(): void }[] = [];

function temporary(): string {
  const folder = temporaryFolder();
  made.push(folder);
  return folder.folder;
}

afterEach(() => {
  for (const folder of made.splice(0)) folder.remove();
});

function exchangeOf(name: string, uid = 'u-1'): SeenExchange {
  const answer = { response: { uid, allowed: true } };
  return {
    request: { start: 'POST /validate HTTP/1.1', headers: [], body: Buffer.from(review(uid, name)) },
    answer: { start: 'HTTP/1.1 200 OK', headers: [], body: Buffer.from(JSON.stringify(answer)) },
    at: new Date('2026-11-22T08:00:00Z'),
    durationMs: 1,
    faults: [],
  };
}

async function record(
  folder: string,
  exchanges: readonly SeenExchange[],
  { maxFiles = 100, maxBytes = 1e6, ...options }: Partial<RecorderOptions> & { maxFiles?: number } = {},
): Promise<{ lines: RecordedExchange[]; troubles: (string | undefined)[] }> {
  const lines: RecordedExchange[] = [];
  const troubles: (string | undefined)[] = [];
  const recorder = createRecorder({
    folder: recordingsFolder(folder, { maxFiles, maxBytes }),
    maxBytes,
    redact: [],
    isMatch: () => true,
    onRecorded: line => lines.push(line),
    onTrouble: error => troubles.push(error?.message),
    ...options,
  });
  for (const exchange of exchanges) recorder.take(exchange);
  await recorder.settle();
  return { lines, troubles };
}

const filesIn = (folder: string): string[] => readdirSync(folder).map(name => name.replace(/-[0-9a-f]{12}\.yaml$/, ''));

describe('the recorder', () => {
  it.skipIf(process.platform === 'win32')('writes files for their owner only', async () => {
    const folder = temporary();
    await record(folder, [exchangeOf('a')]);
    expect(readdirSync(folder).map(name => statSync(path.join(folder, name)).mode & 0o777)).toEqual([0o600]);
  });

  it('writes each exchange once, also in a later run', async () => {
    const folder = path.join(temporary(), 'new', 'folder');
    const { lines } = await record(folder, [exchangeOf('a'), exchangeOf('b'), exchangeOf('a', 'u-2')]);
    expect(filesIn(folder).sort()).toEqual(['create-pod-shop-a-validating', 'create-pod-shop-b-validating']);
    expect(lines.map(({ file, note }) => (file ?? note)?.replace(/-[0-9a-f]{12}/, '')).sort()).toEqual([
      'create-pod-shop-a-validating.yaml',
      'create-pod-shop-b-validating.yaml',
      'equal to create-pod-shop-a-validating.yaml',
    ]);
    const again = await record(folder, [exchangeOf('b', 'u-3')]);
    expect(again.lines[0]?.note).toMatch(/^equal to create-pod-shop-b-validating/);
  });

  it('makes room for new ones, from the oldest on, and leaves other files alone', async () => {
    const folder = temporary();
    writeFileSync(path.join(folder, 'mine-0123456789ab.yaml'), 'kind: Pod\n');
    await record(
      folder,
      ['a', 'b'].map(name => exchangeOf(name)),
    );
    const [a] = readdirSync(folder).filter(name => name.includes('shop-a'));
    utimesSync(path.join(folder, a ?? ''), 1, 1);
    await record(folder, [exchangeOf('c')], { maxFiles: 2 });
    expect(filesIn(folder).sort()).toEqual(['create-pod-shop-b-validating', 'create-pod-shop-c-validating', 'mine']);
    const size = readFileSync(path.join(folder, readdirSync(folder).find(name => name.includes('shop-c')) ?? '')).length;
    await record(folder, [exchangeOf('d')], { maxBytes: size + 10 });
    expect(filesIn(folder).sort()).toEqual(['create-pod-shop-d-validating', 'mine']);
    expect((await record(folder, [exchangeOf('e')], { maxBytes: 100 })).lines[0]?.note).toBe('not recorded: longer than --max-bytes');
  });

  it('removes the remains of killed processes, and nothing else', async () => {
    const folder = temporary();
    const remains = path.join(folder, '.create-pod-a-0123456789ab.yaml.webhook-cli-999999999-01234567');
    writeFileSync(remains, 'half');
    await record(folder, [exchangeOf('a')]);
    expect(existsSync(remains)).toBe(false);
  });

  it('says once that it cannot write, and once that it can again', async () => {
    const folder = path.join(temporary(), 'gone');
    writeFileSync(folder, 'a file');
    const troubles: (string | undefined)[] = [];
    const lines: RecordedExchange[] = [];
    const recorder = createRecorder({
      folder: recordingsFolder(folder, { maxFiles: 9, maxBytes: 1e6 }),
      ...{ maxBytes: 1e6, redact: [], isMatch: () => true },
      onRecorded: line => lines.push(line),
      onTrouble: error => troubles.push(error === undefined ? undefined : 'trouble'),
    });
    for (const name of ['a', 'b', 'c']) recorder.take(exchangeOf(name));
    await recorder.settle();
    expect(troubles).toEqual(['trouble']);
    expect(lines.map(({ note }) => note)).toEqual(['not recorded', 'not recorded', 'not recorded']);
    rmSync(folder);
    mkdirSync(folder);
    recorder.take(exchangeOf('a'));
    await recorder.settle();
    expect(troubles).toEqual(['trouble', undefined]);
    expect(filesIn(folder)).toEqual(['create-pod-shop-a-validating']);
  });

  it('records reviews that match, and nothing but reviews', async () => {
    const folder = temporary();
    const health = { ...exchangeOf('a'), request: { start: 'GET /healthz HTTP/1.1', headers: [], body: Buffer.alloc(0) } };
    const { lines } = await record(folder, [health, exchangeOf('a')], { isMatch: body => !body.includes('"name":"a"') });
    expect(readdirSync(folder)).toEqual([]);
    expect(lines.map(({ subject, note }) => [subject, note])).toEqual([
      ['/healthz', 'not recorded: not a review'],
      ['CREATE Pod shop/a', 'not recorded: --match is false'],
    ]);
  });

  it('survives reviews that cannot be followed', async () => {
    const deep = Buffer.from(`{"request":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    const { lines } = await record(temporary(), [
      { ...exchangeOf('a'), request: { ...exchangeOf('a').request, body: deep } },
      exchangeOf('b'),
    ]);
    expect(lines.map(({ subject, file }) => [subject, file === undefined])).toEqual([
      ['/validate', true],
      ['CREATE Pod shop/b', false],
    ]);
  });

  it('takes exchanges while it writes the last files', async () => {
    const folder = temporary();
    const recorder = createRecorder({
      folder: recordingsFolder(folder, { maxFiles: 9, maxBytes: 1e6 }),
      ...{ maxBytes: 1e6, redact: [], isMatch: () => true, onTrouble: () => {} },
      onRecorded: ({ subject }) => {
        if (subject.endsWith('/a')) recorder.take(exchangeOf('b'));
      },
    });
    recorder.take(exchangeOf('a'));
    await recorder.settle();
    expect(filesIn(folder).sort()).toEqual(['create-pod-shop-a-validating', 'create-pod-shop-b-validating']);
  });

  it('tells that there was no answer', async () => {
    const { lines } = await record(temporary(), [{ ...exchangeOf('a'), answer: undefined }]);
    expect(lines).toEqual([{ subject: 'CREATE Pod shop/a', outcome: 'no answer', durationMs: 1, faults: [] }]);
  });

  it('tells what a fault answered', async () => {
    const { lines } = await record(temporary(), [{ ...exchangeOf('a'), answer: undefined, faults: ['status=503'] }]);
    expect(lines).toEqual([{ subject: 'CREATE Pod shop/a', outcome: '', durationMs: 1, faults: ['status=503'] }]);
  });
});
