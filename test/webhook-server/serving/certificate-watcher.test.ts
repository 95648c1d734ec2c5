import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { issueServingPair } from '../../../src/certificates/issue.js';
import { watchKeyPair } from '../../../src/webhook-server/serving/certificate-watcher.js';
import { readKeyPair, type ServedKeyPair } from '../../../src/webhook-server/serving/key-pair.js';
import { createMetrics, type Metrics } from '../../../src/webhook-server/serving/metrics.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let first: ServedKeyPair;
let second: ServedKeyPair;
beforeAll(async () => {
  const issue = (): Promise<ServedKeyPair> => issueServingPair({ dns: [], ips: [] }, new Date());
  first = await issue();
  second = await issue();
});

let folder: string;
let remove: () => void;
let metrics: Metrics;
let served: ServedKeyPair;
let messages: string[];
let unwatch: () => void;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder({ 'certs/tls.crt': first.cert, 'certs/tls.key': first.key }));
  metrics = createMetrics();
  messages = [];
});
afterEach(() => {
  unwatch();
  remove();
});

const file = (name: string): string => path.join(folder, name);

/** Watches the pair; its changes must be found without the poll. */
async function watchPair(): Promise<void> {
  const files = { certFile: file('certs/tls.crt'), keyFile: file('certs/tls.key'), metrics };
  const log = messages;
  served = await readKeyPair(files);
  unwatch = watchKeyPair(served, {
    ...files,
    pollMs: 3_600_000,
    logger: { info: message => log.push(message), error: (message, error) => log.push(`${message}: ${error}`) },
    onChange: pair => {
      served = pair;
    },
  });
}

function isServed({ cert, key }: ServedKeyPair): Promise<void> {
  return vi.waitFor(() => expect([served.cert, served.key]).toEqual([cert, key]), { timeout: 10_000, interval: 10 });
}

describe('the certificate watcher', () => {
  it('takes a pair whose key is written long after its certificate', async () => {
    await watchPair();
    writeFileSync(file('certs/tls.crt'), second.cert);
    await vi.waitFor(() => expect(metrics.counters.certificateReadErrors).toBeGreaterThan(1), { timeout: 10_000 });
    expect(served).toEqual({ cert: first.cert, key: first.key });
    writeFileSync(file('certs/tls.key'), second.key);
    await isServed(second);
    expect(messages).toEqual([
      'error re-reading certificate: tls: private key does not match public key',
      'Updated current TLS certificate',
    ]);
  });

  it('takes renamed files, and reads unchanged ones without a message', async () => {
    await watchPair();
    writeFileSync(file('certs/tls.crt'), first.cert);
    await vi.waitFor(() => expect(metrics.counters.certificateReads).toBeGreaterThan(1), { timeout: 10_000 });
    expect(messages).toEqual([]);
    writeFileSync(file('new.crt'), second.cert);
    writeFileSync(file('new.key'), second.key);
    renameSync(file('new.key'), file('certs/tls.key'));
    renameSync(file('new.crt'), file('certs/tls.crt'));
    await isServed(second);
  });

  it('takes the files of a folder that is removed and created again', async () => {
    await watchPair();
    rmSync(file('certs'), { recursive: true });
    await vi.waitFor(
      () => expect(messages).toContain(`error re-reading certificate: open ${file('certs/tls.crt')}: no such file or directory`),
      {
        timeout: 10_000,
      },
    );
    for (const pair of [second, first]) {
      mkdirSync(file('certs'), { recursive: true });
      writeFileSync(file('certs/tls.crt'), pair.cert);
      writeFileSync(file('certs/tls.key'), pair.key);
      await isServed(pair);
    }
  });

  it('takes the files of another folder when a link to it changes', async () => {
    renameSync(file('certs'), file('old'));
    mkdirSync(file('new'));
    writeFileSync(file('new/tls.crt'), second.cert);
    writeFileSync(file('new/tls.key'), second.key);
    symlinkSync('old', file('certs'));
    await watchPair();
    unlinkSync(file('certs'));
    symlinkSync('new', file('certs'));
    await isServed(second);
  });

  it('stops', async () => {
    await watchPair();
    unwatch();
    const oldMessages = messages;
    messages = [];
    await watchPair();
    writeFileSync(file('certs/tls.crt'), second.cert);
    writeFileSync(file('certs/tls.key'), second.key);
    await isServed(second);
    expect(oldMessages).toEqual([]);
  });
});
