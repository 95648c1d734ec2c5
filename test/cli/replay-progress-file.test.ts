import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { openCheckpointOfPart } from '../../src/cli/commands/replay/checkpoint.js';
import { newTally } from '../../src/replay/tally.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const { folder, remove } = temporaryFolder();
afterAll(remove);

const open = (firstLine: string, sample?: number) =>
  openCheckpointOfPart('progress', {
    options: { filename: ['-'], sample },
    part: { index: 0, count: 1, threads: 1 },
    cwd: folder,
    firstLine,
  });

const secret = JSON.stringify({ kind: 'Secret', data: { password: 'cGxhbnRlZC1zZWNyZXQ=' } });
const saved = { tally: newTally(), known: [['/secrets|shop|database', secret] as const], equal: [] };

describe('the file of a checkpoint', () => {
  it('is what was saved, for who has the log, and shows nothing to others', async () => {
    const first = await open('line 1');
    expect(first.restored).toBeUndefined();
    await first.save(7, async () => saved);
    expect((await open('line 1')).restored).toEqual({ ...saved, lines: 7 });
    const text = readFileSync(path.join(folder, 'progress'), 'utf8');
    const bytes = Buffer.from(JSON.parse(text).sealed, 'base64');
    for (const shown of [text, bytes.toString('latin1')]) expect(shown).not.toMatch(/password|cGxhbnRlZC1|planted-secret/);
    expect(() => gunzipSync(bytes.subarray(28))).toThrow();
  });

  it('is of no use for another log, or for other flags', async () => {
    await (await open('line 1')).save(7, async () => saved);
    const sentence = 'the checkpoint is from a run with other flags or logs, or of another version';
    await expect(open('another line 1')).rejects.toThrow(sentence);
    await expect(open('line 1', 0.1)).rejects.toThrow(sentence);
    await (await open('line 1')).end();
    expect((await open('another line 1')).restored).toBeUndefined();
  });
});
