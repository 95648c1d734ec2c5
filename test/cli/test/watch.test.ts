import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import Test from '../../../commands/test.js';
import { runCommand } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const suite = (name: string, allowed: boolean): string =>
  `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\nname: ${name}\ndemo: true\nsnapshot: false\ncases: [{name: it, filename: ${name}.yaml, expect: {allowed: ${allowed}}}]\n`;
const pod = (image: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {automountServiceAccountToken: false, containers: [{name: c, image: "${image}"}]}\n`;

describe('test --watch', { timeout: 60_000 }, () => {
  it('reruns affected suites, and ends when interrupted', async () => {
    const { folder, remove } = temporaryFolder({
      'one.webhook-test.yaml': suite('one', true),
      'one.yaml': pod('nginx:1'),
      'two.webhook-test.yaml': suite('two', true),
      'two.yaml': pod('nginx:1'),
    });
    let interrupt = async (): Promise<void> => {};
    let heard = '';
    /** Actions after each run, in order. */
    const steps = [
      () => writeFileSync(path.join(folder, 'two.yaml'), pod('nginx')),
      () => writeFileSync(path.join(folder, 'one.webhook-test.yaml'), suite('one', false)),
      () => void interrupt(),
    ];
    const { exitCode } = await runCommand(Test, ['--watch'], {
      cwd: folder,
      env: { XDG_CACHE_HOME: '' },
      onInterrupt: cleanUp => {
        interrupt = cleanUp;
        return () => {};
      },
      onStdout: text => {
        heard += text.replace(/ {2}(\d[\d.]* m?s|\(\d[\d.]* m?s\))/g, '');
        // The watch continues after the report, which ends with the summary.
        if (/\d failed/.test(text)) setTimeout(() => steps.shift()?.(), 0);
      },
    });
    remove();
    expect(exitCode).toBe(0);
    expect(heard.match(/^\S.*(passed|test\.yaml).*$/gm)).toEqual([
      'one one.webhook-test.yaml',
      'two two.webhook-test.yaml',
      '2 passed, 0 failed',
      'two two.webhook-test.yaml',
      '0 passed, 1 failed',
      'one one.webhook-test.yaml',
      '0 passed, 1 failed',
    ]);
  });
});
