import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readKeptObjects } from '../../src/envtest/etcd/kept-objects.js';
import { randomFrom } from '../differential/random.js';
import { damages } from '../robustness/damage.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const contents = {
  revision: 7,
  collections: new Map([
    ['/Pod', [new Map([['kind', 'Pod']])]],
    ['/ConfigMap', [new Map([['kind', 'ConfigMap']])]],
  ]),
};

/** Returns the folder of an etcd, with an API server that keeps objects there and one that reads them. */
function ofEtcd() {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const data = path.join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const inFolder: RequestListener = (_, response) => response.end(data);
  return {
    ...{ folder, data, file: path.join(data, 'webhook-cli-objects') },
    keep: (kept = contents) => asked(inFolder, objects => objects.keep(kept)),
    read: () => asked(inFolder, objects => objects.contents),
  };
}

/** What an API server gets from the etcd that answers in this way. */
async function asked<T>(answer: RequestListener, use: (kept: Awaited<ReturnType<typeof readKeptObjects>>) => T): Promise<Awaited<T>> {
  const etcd = createServer(answer).listen(0, '127.0.0.1');
  await new Promise(resolve => etcd.once('listening', resolve));
  try {
    return await use(await readKeptObjects([`http://127.0.0.1:${(etcd.address() as AddressInfo).port}`]));
  } finally {
    etcd.closeAllConnections();
    etcd.close();
  }
}

describe('objects that are kept in the folder of etcd', () => {
  it('are read again, and are readable by their owner only', async () => {
    const { file, keep, read } = ofEtcd();
    await keep();
    expect(await read()).toEqual(contents);
    expect(readFileSync(file).includes('ConfigMap')).toBe(true);
    expect(process.platform === 'win32' || (statSync(file).mode & 0o777) === 0o600).toBe(true);
  });

  it('are never believed after any damage', async () => {
    const { file, keep, read } = ofEtcd();
    await keep();
    const good = readFileSync(file);
    const random = randomFrom(36);
    const believed: string[] = [];
    for (const [kind, damage] of Object.entries(damages))
      for (let run = 0; run < 5; run += 1) {
        const bytes = damage(good, random);
        writeFileSync(file, bytes);
        if (!bytes.equals(good) && (await read()) !== undefined) believed.push(kind);
      }
    expect(believed).toEqual([]);
  });

  it('replace a link instead of following it', async () => {
    const { folder, file, keep, read } = ofEtcd();
    const victim = path.join(folder, 'victim');
    writeFileSync(victim, 'kept');
    symlinkSync(victim, file);
    await keep();
    expect([readFileSync(victim, 'utf8'), await read()]).toEqual(['kept', contents]);
  });

  it.runIf(process.geteuid !== undefined)('are neither read nor written where other users can write', async () => {
    const { data, file, keep, read } = ofEtcd();
    await keep();
    chmodSync(data, 0o777);
    const before = readFileSync(file);
    await keep({ ...contents, revision: 8 });
    expect([await read(), readFileSync(file).equals(before)]).toEqual([undefined, true]);
  });

  it('are not waited for: an answer that is too long or cut off is none', async () => {
    const endless: RequestListener = (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('/'.repeat(1000)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    const cutOff: RequestListener = (_, response) => {
      response.write('/tmp');
      setImmediate(() => response.destroy());
    };
    for (const answer of [endless, cutOff]) expect(await asked(answer, kept => kept.contents)).toBeUndefined();
  });
});
