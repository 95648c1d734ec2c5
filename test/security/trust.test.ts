import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import CertsVerify from '../../commands/certs/verify.js';
import Dev from '../../commands/dev.js';
import Init from '../../commands/init.js';
import Lint from '../../commands/lint.js';
import Match from '../../commands/match.js';
import Request from '../../commands/request.js';
import Review from '../../commands/review.js';
import State from '../../commands/state.js';
import Test from '../../commands/test.js';
import Trust from '../../commands/trust.js';
import { type CommandClass, type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n';

/** A kubeconfig whose user runs a program that leaves a file. */
const kubeconfig = (command: string): string => `apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ${command}, args: [--client-secret, s3cret]}}}]
`;

const program = '#!/bin/sh\ntouch ran\nexit 1\n';

const suiteWith = (fields: string): string => `apiVersion: webhook-cli.dev/v1alpha1
kind: Suite
${fields}
cases:
- name: a
  filename: pod.yaml
  snapshot: false
  expect: {allowed: false}
`;

let clone: ReturnType<typeof temporaryFolder>;
let home: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  clone = temporaryFolder({ 'pod.yaml': pod, kc: kubeconfig('./plugin.sh'), 'plugin.sh': program });
  chmodSync(path.join(clone.folder, 'plugin.sh'), 0o755);
  home = temporaryFolder();
});

afterEach(() => {
  clone.remove();
  home.remove();
});

const write = (name: string, text: string): void => writeFileSync(path.join(clone.folder, name), text);
const ran = (): boolean => existsSync(path.join(clone.folder, 'ran'));

function run(command: CommandClass, argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  return runCommand(command, argv, { cwd: clone.folder, env: { HOME: home.folder, PATH: process.env['PATH'] ?? '', ...env } });
}

const ignoredKubeconfig =
  'warning: webhook-cli.yaml is not trusted: ignored kubeconfig; run "webhook-cli trust" after reading it, set WEBHOOK_CLI_TRUST=1, or pass the flag\n';

describe('a configuration file that was found', { timeout: 30_000 }, () => {
  it.each<[string, CommandClass, readonly string[]]>([
    ['lint', Lint, ['-f', 'pod.yaml']],
    ['match', Match, ['-f', 'pod.yaml']],
    ['request', Request, ['-f', 'pod.yaml']],
    ['review', Review, ['--demo', '-f', 'pod.yaml']],
    ['test', Test, ['--demo', 'pod.yaml']],
    ['state', State, ['-o', 'out']],
    ['certs verify', CertsVerify, ['-f', 'pod.yaml']],
  ])('runs no program of %s', async (_, command, argv) => {
    write('webhook-cli.yaml', 'kubeconfig: kc\n');
    const { stderr } = await run(command, argv);
    expect([stderr.startsWith(ignoredKubeconfig), ran()]).toEqual([true, false]);
  });

  it('counts after trust, until it or the kubeconfig in the repository changes', async () => {
    write('webhook-cli.yaml', 'kubeconfig: kc\n');
    const trusted = await run(Trust, []);
    await run(Match, ['-f', 'pod.yaml']);
    expect([trusted.stdout, ran()]).toEqual(['webhook-cli.yaml: trusted\n  kubeconfig: kc\n', true]);
    write('kc', `${kubeconfig('./plugin.sh')}# another\n`);
    const changed = await run(Match, ['-f', 'pod.yaml']);
    expect([changed.stderr, changed.exitCode]).toEqual([
      'error: webhook-cli.yaml: it changed since it was trusted; run "webhook-cli trust" after reading it, or set WEBHOOK_CLI_TRUST=1, or pass the flag\n',
      2,
    ]);
    await run(Trust, []);
    expect((await run(Match, ['-f', 'pod.yaml'])).stderr).not.toContain('not trusted');
    write('webhook-cli.yaml', 'kubeconfig: other\nseed: 1\n');
    expect((await run(Match, ['-f', 'pod.yaml'])).stderr).toContain(
      'changed since it was trusted: - kubeconfig: kc: + kubeconfig: other; run',
    );
  });

  it('is asked about at a terminal, with what changed', async () => {
    write('webhook-cli.yaml', 'kubeconfig: kc\n');
    const ask = (keys: string): Promise<CommandResult> =>
      runCommand(Match, ['-f', 'pod.yaml'], { cwd: clone.folder, env: { HOME: home.folder }, keys, isErrorTerminal: true });
    const refused = await ask('n');
    expect(refused.stderr).toContain(
      'webhook-cli.yaml is not trusted yet. It sets\n  kubeconfig: kc\nTrust it? y: yes, any other key: no no\n',
    );
    expect([refused.stderr.includes(ignoredKubeconfig), ran()]).toEqual([true, false]);
    await ask('y');
    write('webhook-cli.yaml', 'kubeconfig: missing\n');
    const changed = await ask('n');
    expect(changed.stderr).toContain(
      'webhook-cli.yaml changed since you trusted it:\n  - kubeconfig: kc\n  + kubeconfig: missing\nTrust it?',
    );
    expect(changed.exitCode).toBe(2);
    expect((await ask('')).exitCode).toBe(2);
  });

  it('is an error where the state would be missing', async () => {
    write('webhook-cli.yaml', 'state: ["kustomize:config"]\n');
    const { stderr, exitCode } = await run(Match, ['-f', 'pod.yaml']);
    expect([stderr, exitCode]).toEqual([
      'error: webhook-cli.yaml: it is not trusted, and sets state; run "webhook-cli trust" after reading it, or set WEBHOOK_CLI_TRUST=1, or pass the flag\n',
      2,
    ]);
  });
  it('counts until a part of it changes', async () => {
    write('webhook-cli.yaml', 'kubeconfig: kc\n');
    await run(Trust, []);
    write('webhook-cli.yaml', 'kubeconfig: kc\nseed: 1\n');
    expect((await run(Match, ['-f', 'pod.yaml'])).stderr).toContain('changed since it was trusted');
  });

  it('counts until a kubeconfig elsewhere in the repository changes', async () => {
    mkdirSync(path.join(clone.folder, '.git'));
    mkdirSync(path.join(clone.folder, 'sub'));
    write('sub/webhook-cli.yaml', 'kubeconfig: ../kc\n');
    const env = { HOME: home.folder, PATH: process.env['PATH'] ?? '' };
    const inside = (command: CommandClass, argv: readonly string[]) =>
      runCommand(command, argv, { cwd: path.join(clone.folder, 'sub'), env });
    await inside(Trust, []);
    expect((await inside(Match, ['-f', '../pod.yaml'])).stderr).not.toContain('not trusted');
    write('kc', `${kubeconfig('./plugin.sh')}# another\n`);
    expect((await inside(Match, ['-f', '../pod.yaml'])).stderr).toContain('changed since it was trusted');
  });

  it('counts no longer after trust --revoke', async () => {
    write('webhook-cli.yaml', 'kubeconfig: kc\n');
    await run(Trust, []);
    expect((await run(Trust, ['--revoke'])).stdout).toBe('webhook-cli.yaml: no longer trusted\n  kubeconfig: kc\n');
    expect((await run(Match, ['-f', 'pod.yaml'])).stderr).toContain(ignoredKubeconfig);
  });

  it('counts with the variable for CI, and the flag counts without trust', async () => {
    write('webhook-cli.yaml', 'kubeconfig: kc\n');
    await run(Match, ['-f', 'pod.yaml'], { WEBHOOK_CLI_TRUST: '1' });
    expect(ran()).toBe(true);
    const named = await run(Match, ['-f', 'pod.yaml', '--kubeconfig', 'kc']);
    expect(named.stderr).not.toContain('not trusted');
  });

  it.each([
    ['exec', 'exec: touch ran\n', Dev, ['missing']],
    ['url', 'url: https://127.0.0.1:1/\n', Review, ['-f', 'pod.yaml']],
    ['service', 'service: ["*=https://127.0.0.1:1"]\n', Review, ['--demo', '-f', 'pod.yaml']],
    ['resolve', 'resolve: ["a:1:127.0.0.1"]\n', Review, ['--demo', '-f', 'pod.yaml']],
    ['compare', 'compare: https://127.0.0.1:1/\n', Review, ['--demo', '-f', 'pod.yaml']],
    ['context', 'context: c\n', Review, ['--demo', '-f', 'pod.yaml']],
    ['insecure-skip-tls-verify', 'insecure-skip-tls-verify: true\n', Review, ['--demo', '-f', 'pod.yaml']],
    ['token-file', 'token-file: pod.yaml\n', Review, ['--demo', '-f', 'pod.yaml']],
    ['reporter', 'reporter: json=x.json\n', Test, ['--demo', 'pod.yaml']],
    ['filename', 'filename: "kustomize:."\n', Lint, []],
    ['ca-file', 'ca-file: kc\n', Review, ['--url', 'https://a.example:1/', '-f', 'pod.yaml']],
    ['ca-file', 'ca-file: kc\n', Review, ['--url=https://127.0.0.1.a.example/', '-f', 'pod.yaml']],
  ] as const)('does not set %s', async (key, file, command, argv) => {
    write('webhook-cli.yaml', file);
    const { stderr } = await run(command, argv);
    expect(stderr).toContain(`warning: webhook-cli.yaml is not trusted: ignored ${key};`);
    expect([ran(), existsSync(path.join(clone.folder, 'x.json'))]).toEqual([false, false]);
  });

  it('sets what is harmless, and certificates for webhooks of this machine', async () => {
    write('webhook-cli.yaml', 'namespace: team\nca-file: pod.yaml\n');
    const { stderr } = await run(Review, ['--url', 'https://127.0.0.1:1/', '-f', 'pod.yaml']);
    expect(stderr).toMatch(/^error: pod.yaml: --ca-file cannot be used/);
  });

  it.each<[string, () => void, string]>([
    ['is too large', () => truncateSync(path.join(clone.folder, 'webhook-cli.yaml'), 1024 * 1024 + 1), 'it is larger than 1 MiB'],
    ['other users can write', () => chmodSync(path.join(clone.folder, 'webhook-cli.yaml'), 0o666), 'other users can write it'],
    ['is a folder', () => mkdirSync(path.join(clone.folder, 'sub/webhook-cli.yaml'), { recursive: true }), 'it is not a regular file'],
    [
      'is a link to a device',
      () => {
        mkdirSync(path.join(clone.folder, 'sub'));
        symlinkSync('/dev/zero', path.join(clone.folder, 'sub/webhook-cli.yaml'));
      },
      'it is not a regular file',
    ],
  ])('is not read if it %s', async (_, prepare, reason) => {
    write('webhook-cli.yaml', 'namspace: typo\n');
    prepare();
    const folder = path.join(clone.folder, 'sub');
    const cwd = existsSync(folder) ? folder : clone.folder;
    const { stderr, exitCode } = await runCommand(Match, ['--demo', '-f', path.join(clone.folder, 'pod.yaml')], { cwd, env: {} });
    expect([stderr, exitCode]).toEqual([`warning: webhook-cli.yaml is not read: ${reason}\n`, 0]);
  });

  it('is not searched for above the root of the repository', async () => {
    write('webhook-cli.yaml', 'namspace: typo\n');
    mkdirSync(path.join(clone.folder, 'inner/.git'), { recursive: true });
    const cwd = path.join(clone.folder, 'inner');
    expect((await runCommand(Match, ['--demo', '-f', '../pod.yaml'], { cwd, env: {} })).exitCode).toBe(0);
  });
});

describe('suites that were found, not named', { timeout: 30_000 }, () => {
  it.each([
    ['a program', 'exec: touch ran\nurl: https://127.0.0.1:1/', 'exec: touch ran'],
    ['an address', 'url: https://a.example/', 'url: https://a.example/'],
    ['an address that only looks local', 'url: https://127.0.0.1.a.example/', 'url: https://127.0.0.1.a.example/'],
    ['the address of a service', 'services: {a/b: https://a.example}', 'service: a/b=https://a.example'],
    ['a header for another machine', 'url: https://a.example/\nheader: {x: text}', 'header: x=text'],
    ['the address of a host', 'demo: true\nresolve: "a:1:10.0.0.1"', 'resolve: a:1:10.0.0.1'],
    ['a cluster', 'demo: true\nkubeconfig: kc', 'kubeconfig: kc'],
    ['a token', 'url: https://127.0.0.1:1/\ntoken-file: kc', 'token-file: kc'],
    ['a kustomization', 'demo: true\nstate: "kustomize:."', 'state: kustomize:.'],
  ])('need trust for %s', async (_, fields, part) => {
    write('a.webhook-test.yaml', suiteWith(fields));
    const { stderr, exitCode } = await run(Test, []);
    expect([stderr, exitCode, ran()]).toEqual([
      `error: a.webhook-test.yaml: the suite was found, not named, and is not trusted: ${part}; name a.webhook-test.yaml on the command line, or run "webhook-cli trust" after reading it\n`,
      2,
      false,
    ]);
    expect((await run(Dev, [])).stderr).toContain('is not trusted');
  });

  it('run without trust where they start and reach nothing but this machine', async () => {
    const connection = 'services: {a/b: https://127.0.0.1:1}\nresolve: "a:1:127.0.0.1"\nheader: {x: text}';
    write('a.webhook-test.yaml', suiteWith(`demo: true\n${connection}`));
    expect((await run(Test, [])).exitCode).toBe(0);
  });

  it('run after trust, also when cases change, but not when the program does', async () => {
    const exec = (command: string): string => `exec: {command: ${command}, ready: {timeout: 1s}}\nurl: "https://127.0.0.1:\${PORT}/"`;
    write('a.webhook-test.yaml', suiteWith(exec('touch ran')));
    expect((await run(Trust, [])).stdout).toBe('a.webhook-test.yaml: trusted\n  exec: touch ran\n');
    write('a.webhook-test.yaml', suiteWith(exec('touch ran')).replace('name: a', 'name: other'));
    await run(Test, []);
    expect(ran()).toBe(true);
    write('a.webhook-test.yaml', suiteWith(exec('touch other')));
    const { stderr } = await run(Test, []);
    expect(stderr).toContain('and changed since it was trusted: - exec: touch ran, + exec: touch other; name');
    expect(existsSync(path.join(clone.folder, 'other'))).toBe(false);
  });

  it('run after trust, until a kubeconfig of the repository changes', async () => {
    write('a.webhook-test.yaml', suiteWith('demo: true\nkubeconfig: kc'));
    write('kc', kubeconfig('./missing.sh'));
    await run(Trust, []);
    expect((await run(Test, [])).stderr).not.toContain('not trusted');
    write('kc', kubeconfig('./plugin.sh'));
    expect([(await run(Test, [])).stderr.includes('the suite was found, not named, and changed since it was trusted'), ran()]).toEqual([
      true,
      false,
    ]);
  });

  it('run when the user names them', async () => {
    write('a.webhook-test.yaml', suiteWith(`exec: {command: touch ran, ready: {timeout: 1s}}\nurl: "https://127.0.0.1:\${PORT}/"`));
    await run(Test, ['.']);
    expect(ran()).toBe(true);
  });
});

describe('trust', { timeout: 30_000 }, () => {
  it('is given to the files that init writes', async () => {
    write('package.json', '{"name": "a", "scripts": {"start": "touch ran"}, "dependencies": {"express": "4"}}');
    await run(Init, []);
    expect(readFileSync(path.join(clone.folder, 'webhook-cli.yaml'), 'utf8')).not.toBe('');
    expect((await run(Trust, ['--revoke'])).stdout).not.toContain('was not trusted');
  });

  it('shows what hides in a file', async () => {
    write('webhook-cli.yaml', 'url: "https://a.example/\\e[2K\\u202e"\n');
    expect((await run(Trust, [])).stdout).toBe('webhook-cli.yaml: trusted\n  url: https://a.example/\\u001b[2K\\u202e\n');
  });

  it('cannot be recorded without a home folder', async () => {
    write('webhook-cli.yaml', 'url: https://a.example/\n');
    const { stderr, exitCode } = await run(Trust, [], { HOME: '' });
    expect([stderr, exitCode]).toEqual([
      'error: the user has no home folder, in which trust is recorded; set HOME or XDG_STATE_HOME, or set WEBHOOK_CLI_TRUST=1 for the commands\n',
      2,
    ]);
  });

  it('is not needed where nothing is found', async () => {
    expect((await run(Trust, [])).stdout).toBe('nothing found here needs trust\n');
  });
});

describe('the exec plugin of a kubeconfig that the user named', { timeout: 30_000 }, () => {
  it('is announced the first time, without secrets', async () => {
    const first = await run(Match, ['-f', 'pod.yaml', '--kubeconfig', 'kc']);
    const second = await run(Match, ['-f', 'pod.yaml', '--kubeconfig', 'kc']);
    const kc = path.join(clone.folder, 'kc');
    const note = `note: user "u" of ${kc} runs the exec plugin: ${path.join(clone.folder, 'plugin.sh')} --client-secret <hidden>\n`;
    expect([first.stderr.startsWith(note), second.stderr.includes('note: user')]).toEqual([true, false]);
  });
});
