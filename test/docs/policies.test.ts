import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const page = readFileSync(path.join(root, 'docs/policies.md'), 'utf8');
let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder({}));
});
afterEach(() => remove());

/** Returns the arguments of the command after a marker in the page. */
function commandAfter(mark: string): string[] {
  const line = new RegExp(`<!-- ${mark} -->\\n\`\`\`sh\\nwebhook-cli review (.*)\\n`).exec(page)?.[1];
  if (line === undefined) throw new Error(`no command after ${mark}`);
  return line.split(' ').map(word => (word.startsWith('fixtures/') ? path.join(root, word) : word));
}

describe('the migration of the demo webhook to policies', () => {
  it('finds no difference where both refuse a pod with the same message', async () => {
    const { stdout, exitCode } = await runCommand(Review, commandAfter('agrees'));
    expect(stdout).toContain('must not be privileged');
    expect(stdout).not.toContain('compare:');
    expect(exitCode).toBe(1);
  });

  it('finds the planted difference, as the page shows it', async () => {
    const shown = /```text\n(compare:.*)\n```/.exec(page)?.[1];
    const { stdout, exitCode } = await runCommand(Review, commandAfter('differs'));
    expect(stdout).toContain(shown);
    expect(exitCode).toBe(1);
  });

  it('finds no difference after the correction of the page', async () => {
    const [, wrong = '', corrected = ''] = /Replacing `([^`]*)` with `([^`]*)` removes the difference/.exec(page) ?? [];
    const rule = readFileSync(path.join(root, 'fixtures/policies/demo-rule.yaml'), 'utf8');
    expect(rule).toContain(wrong);
    const file = path.join(folder, 'corrected.yaml');
    writeFileSync(file, rule.replace(wrong, corrected));
    for (const pod of ['latest', 'plain', 'privileged', 'untagged']) {
      const manifest = path.join(root, 'fixtures/policies/pods', `${pod}.yaml`);
      const { stdout } = await runCommand(Review, ['--demo', '--compare', file, '-f', manifest]);
      expect(stdout).not.toContain('compare:');
    }
  });
});
