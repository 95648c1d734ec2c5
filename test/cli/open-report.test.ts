import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import Match from '../../commands/match.js';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { browserCommands } from '../../src/cli/shell/open-report.js';
import { runCommand } from '../support/run-command.js';
import { browserIn } from '../support/started-browser.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: "nginx:1"}]}\n';

describe('--open', { timeout: 30_000 }, () => {
  it('opens the calls of a review', async () => {
    const { folder, remove } = temporaryFolder({ 'pod.yaml': pod });
    const browser = browserIn(folder);
    const { exitCode, stderr } = await runCommand(Review, ['--demo', '-f', 'pod.yaml', '--open'], {
      cwd: folder,
      env: { BROWSER: browser.command },
    });
    const file = new URL(await browser.opened());
    const html = readFileSync(file, 'utf8');
    rmSync(path.dirname(file.pathname), { recursive: true });
    remove();
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`report: ${file.pathname}\n`)]);
    expect(html).toContain('<title>webhook-cli review: 1 allowed, 0 refused</title>');
    expect(html).toContain('1 allowed, 0 refused');
    expect(html).toContain('demo.webhook-cli.dev');
  });

  it('opens the calls of match, and prints the table as without it', async () => {
    const { folder, remove } = temporaryFolder({ 'pod.yaml': pod });
    const argv = ['--demo', '-f', 'pod.yaml'];
    const plain = await runCommand(Match, argv, { cwd: folder });
    const { exitCode, stdout, stderr } = await runCommand(Match, [...argv, '--open'], { cwd: folder, env: { BROWSER: 'none' } });
    const file = /^report: (.*)$/m.exec(stderr)?.[1] ?? '';
    const html = readFileSync(file, 'utf8');
    rmSync(path.dirname(file), { recursive: true });
    remove();
    expect([exitCode, stdout]).toEqual([plain.exitCode, plain.stdout]);
    expect(html).toContain('<title>webhook-cli match: 1 call, 2 of 2 webhooks would be called</title>');
    expect(html).toContain('<li>mutating demo.webhook-cli.dev: would be called</li>');
    expect(html).not.toContain('pod/a created</pre>');
    expect(html).toContain('"durationMs":');
  });

  it('opens the report of a test run, also the one that is written anyway', async () => {
    const { folder, remove } = temporaryFolder({ 'manifests/pod.yaml': pod });
    const browser = browserIn(folder);
    const argv = ['manifests', '--demo', '--update', '--open', '--reporter', 'html=report.html'];
    const { exitCode } = await runCommand(Test, argv, { cwd: folder, env: { BROWSER: browser.command, XDG_CACHE_HOME: '' } });
    const opened = await browser.opened();
    remove();
    expect([exitCode, opened]).toEqual([0, `file://${folder}/report.html`]);
  });

  it('goes on without a browser', async () => {
    const { folder, remove } = temporaryFolder({ 'pod.yaml': pod });
    const argv = ['--demo', '-f', 'pod.yaml', '-o', 'name', '--open'];
    const { exitCode, stdout, stderr } = await runCommand(Review, argv, { cwd: folder, env: { BROWSER: 'no-such-browser' } });
    const file = /^report: (.*)$/m.exec(stderr)?.[1] ?? '';
    rmSync(path.dirname(file), { recursive: true });
    remove();
    expect([exitCode, stdout, stderr]).toEqual([0, 'pod/a allowed\n', expect.stringContaining('note: could not start a browser')]);
  });

  it.each<[string, NodeJS.Platform, string[][]]>([
    ['', 'linux', [['xdg-open', '%s']]],
    ['', 'darwin', [['open', '%s']]],
    ['', 'win32', [['explorer.exe', '%s']]],
    ['none', 'linux', []],
    [
      'firefox:chromium --app=%s',
      'linux',
      [
        ['firefox', '%s'],
        ['chromium', '--app=%s'],
      ],
    ],
  ])('BROWSER=%s', (browser, platform, expected) => {
    expect(browserCommands({ BROWSER: browser }, platform)).toEqual(expected);
  });

  it.each([
    [Test, ['--watch'], /--open and --watch are mutually exclusive/],
    [Review, ['--case', 'x.json'], /--open has no effect with --case/],
    [Match, ['--case', 'x.json'], /--open has no effect with --case/],
    [Match, ['--all-operations'], /--all-operations and --open are mutually exclusive/],
  ] as const)('refuses what it cannot show', async (command, argv, message) => {
    const { exitCode, stderr } = await runCommand(command, ['--open', ...argv]);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
