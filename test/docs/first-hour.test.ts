import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSuite } from '../../src/suites/reading/suite-file.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pages = ['kubebuilder', 'helm', 'from-envtest', 'faq'];
const read = (page: string): string => readFileSync(path.join(root, `docs/${page}.md`), 'utf8');

interface Listed {
  readonly flags: Readonly<Record<string, { readonly char?: string }>>;
}

const { commands }: { readonly commands: Readonly<Record<string, Listed>> } = JSON.parse(
  readFileSync(path.join(root, 'oclif.manifest.json'), 'utf8'),
);

/** Lines of blocks and words in the text that call the program. */
function calls(page: string): string[] {
  return [...page.matchAll(/(?:^|[`(| ])webhook-cli ([a-z][^`\n|)]*)/gm)].map(([, call = '']) => call.trim());
}

describe('pages of the first hour', { timeout: 60_000 }, () => {
  it.each(pages.flatMap(page => calls(read(page)).map(call => [page, call] as const)))('%s names flags that exist: %s', (_, call) => {
    const [words = ''] = call.split(/ -- /);
    const [first = '', second = '', ...rest] = words.split(/\s+/);
    const id = `${first}:${second}` in commands ? `${first}:${second}` : first;
    const command = commands[id];
    expect([id, command === undefined]).toEqual([id, false]);
    const given = [second, ...rest].flatMap(word => /^(--[a-z-]+|-[a-zA-Z])(?:=|$)/.exec(word)?.[1] ?? []);
    const known = Object.entries(command?.flags ?? {}).flatMap(([name, { char }]) => [
      `--${name}`,
      ...(char === undefined ? [] : [`-${char}`]),
    ]);
    expect(given.filter(flag => !known.includes(flag))).toEqual([]);
  });

  it('the case of from-envtest.md is one of a suite', () => {
    const [, block = ''] = /```yaml\n([\s\S]*?)```/.exec(read('from-envtest')) ?? [];
    const suite = readSuite(Buffer.from(`apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\ndemo: true\ncases:\n${block}`), {
      file: 'a.webhook-test.yaml',
      whole: true,
    });
    expect(suite.cases.map(({ name }) => name)).toEqual(['a negative size']);
  });

  it('the block of helm.md lists the webhook that cert-manager would certify', () => {
    const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(read('helm')) ?? [];
    const { folder, remove } = temporaryFolder({
      'bin/webhook-cli': `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'bin/run.js')}' "$@"\n`,
    });
    chmodSync(path.join(folder, 'bin/webhook-cli'), 0o755);
    const env = { ...process.env, PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}` };
    const { stdout, stderr, status } = spawnSync('sh', ['-e', '-c', block], { cwd: folder, env, encoding: 'utf8' });
    remove();
    expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: expect.stringContaining('guard/guard.example.com  yes\n') });
  });
});
