import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import RequestCommand from '../../commands/request.js';
import Test from '../../commands/test.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let remove: () => void;

const pod = (name: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {a: b}}\nspec: {containers: [{name: c, image: nginx:1.29}]}\n`;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder({ 'twice.yaml': `${pod('web')}---\n${pod('web')}`, 'two.yaml': `${pod('web')}---\n${pod('db')}` }));
});
afterEach(() => remove());

describe('calls of one case', () => {
  it('see each other, except with independent', async () => {
    const suite = (more: string, allowed: boolean): string =>
      `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\ndemo: true\ncases:\n- {name: a, filename: twice.yaml, ${more}expect: {allowed: ${allowed}}}\n`;
    writeFileSync(path.join(folder, 's.webhook-test.yaml'), suite('', true));
    const { stdout } = await runCommand(Test, ['s.webhook-test.yaml'], { cwd: folder });
    expect(stdout).toContain('pods "web" already exists');
    writeFileSync(path.join(folder, 's.webhook-test.yaml'), suite('independent: true, ', true));
    expect(await runCommand(Test, ['s.webhook-test.yaml'], { cwd: folder })).toMatchObject({ exitCode: 0 });
  });
});

describe('calls with a seed', () => {
  const reviews = async (argv: readonly string[]): Promise<string[]> => {
    const { stdout } = await runCommand(
      RequestCommand,
      ['--seed', '7', '--now', '2026-01-02T03:04:05Z', '--phase', 'validating', ...argv],
      { cwd: folder },
    );
    return stdout.trim().split('\n');
  };

  it('have different uids, the same in every run and the first as alone', async () => {
    const uids = (lines: readonly string[]): string[] => lines.map(line => JSON.parse(line).request.uid);
    const first = await reviews(['-f', 'two.yaml']);
    expect(new Set(uids(first)).size).toBe(2);
    expect(new Set(first.map(line => JSON.parse(line).request.object.metadata.uid)).size).toBe(2);
    expect(await reviews(['-f', 'two.yaml', '--independent'])).toEqual(first);
    const [alone] = await reviews(['-f', 'twice.yaml', '--independent']);
    expect(alone).toBe(first[0]);
  });
});
