import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { main } from '../../src/cli/main.js';
import { root, runCommand, testSurroundings } from '../support/run-command.js';

/** Tests that need a process of the real program. */
const program = path.join(root, 'bin/run.js');

const cache = mkdtempSync(path.join(tmpdir(), 'webhook-cli-cache-'));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

/** The published program is the bundle; the compiled modules are the fallback. */
const bundled = { XDG_CACHE_HOME: cache };
const compiled = { WEBHOOK_CLI_NO_BUNDLE: '1' };
const env = { ...process.env, ...bundled };

function run(
  argv: readonly string[],
  more: Readonly<Record<string, string>> = bundled,
): Promise<{ stdout: string; stderr: string; exitCode: unknown }> {
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      [program, ...argv],
      { cwd: root, env: { ...process.env, ...more } },
      (error, stdout, stderr) => {
        resolve({ stdout, stderr, exitCode: error === null ? 0 : error.code });
      },
    );
    child.stdin?.end();
  });
}

/** Runs the program's modules in this process, which takes a fraction of a start. */
async function runInProcess(argv: readonly string[]): Promise<Awaited<ReturnType<typeof run>>> {
  const written = { stdout: '', stderr: '' };
  const exitCode = await main(argv, root, testSurroundings({}, written));
  return { ...written, exitCode };
}

describe('the program', { timeout: 20_000 }, () => {
  it('prints its version and its commands', async () => {
    const [version, short, help] = await Promise.all([run(['--version']), run(['-v']), run(['--help'])]);
    expect([version.exitCode, version.stdout]).toEqual([0, expect.stringMatching(/^webhook-cli\/\d+\.\d+\.\d+ \S+ node-v\d+/)]);
    expect(short).toEqual(version);
    expect(help.exitCode).toBe(0);
    expect(help.stdout).toMatch(/COMMANDS\n[\s\S]*\n {2}review +Call webhooks/);
  });

  it('shows the ways to start without arguments', async () => {
    const [none, short] = await Promise.all([run([]), run(['-h'])]);
    expect(none).toEqual(short);
    expect(none).toMatchObject({ exitCode: 0, stderr: '' });
    expect(none.stdout.match(/^ {2}webhook-cli .*/gm)).toEqual([
      '  webhook-cli review --demo',
      '  webhook-cli review --url https://127.0.0.1:8443/validate --phase validating -f pod.yaml',
      '  webhook-cli init',
    ]);
  });

  it('shortens -h to usage, two examples and their flags', async () => {
    const { exitCode, stdout } = await runInProcess(['review', '-h']);
    expect([exitCode, stdout]).toEqual([
      0,
      `Call webhooks as the API server would for an API call, and print what the client would get.

USAGE
  $ webhook-cli review -f PATH [--url URL | --demo | --state PATH] [FLAGS]

EXAMPLES
  # See the embedded reference webhook change a pod
  webhook-cli review --demo -f pod.yaml

  # Call your own webhook
  webhook-cli review --url https://127.0.0.1:8443/mutate --ca-file certs/ca.crt -f pod.yaml

FLAGS
  -f, --filename=PATH  manifest: a file, a folder, a glob or - for stdin
  --url=URL            one webhook at this address that matches every call
  --demo               the embedded reference webhook, in both phases
  --state=PATH         objects that exist in the cluster: files or folders of manifests, - for stdin
  --ca-file=PATH       a file of certificates to trust, instead of every caBundle

All flags and examples: webhook-cli review --help
`,
    ]);
  });

  it('keeps -h of every command within 24 lines', async () => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'oclif.manifest.json'), 'utf8'));
    for (const id of Object.keys(manifest.commands)) {
      const { stdout } = await runInProcess([...id.split(':'), '-h']);
      expect([id, stdout.split('\n').length > 24]).toEqual([id, false]);
      expect(stdout).toContain(`--help`);
    }
  });

  it('lists the releases of Kubernetes that it reproduces', async () => {
    const { exitCode, stdout } = await run(['version', '-o', 'json']);
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { kind: 'Version', version: expect.stringMatching(/^\d/) }]);
    expect(JSON.parse(stdout).kubernetes).toContainEqual({ minor: 'v1.37', release: 'v1.37.2', default: true });
    expect(JSON.parse(stdout).kubernetes).toContainEqual({ minor: 'v1.36', release: 'v1.36.3', default: false });
  });

  it('names its version in reports', async () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const { stdout } = await run(['test', 'fixtures/suites/manifests', '--demo', '--reporter', 'html']);
    expect(stdout).toContain(`<meta name="generator" content="webhook-cli ${version}">`);
  });

  it.each([
    ['the bundle', bundled],
    ['the compiled modules', compiled],
  ])('runs cases in threads of %s', { timeout: 60_000 }, async (_, env) => {
    const argv = ['test', 'fixtures/suites/demo', '--check', '--concurrency', '2'];
    const [one, two] = await Promise.all([runCommand(Test, argv.slice(1)), run([...argv, '--jobs', '2'], env)]);
    const stable = ({ stdout, ...ran }: Awaited<ReturnType<typeof run>>) => ({
      ...ran,
      stdout: stdout.replace(/\b\d[\d.]* m?s\b/g, 'TIME'),
    });
    expect(one.exitCode).toBe(0);
    expect(stable(two)).toEqual(stable(one));
  });

  it('rejects unknown commands', async () => {
    expect(await run(['reveiw'])).toEqual({
      stdout: '',
      stderr: 'error: unknown command "reveiw"; did you mean "review"?\n',
      exitCode: 2,
    });
    expect(await runInProcess(['reveiw', '-o', 'json'])).toEqual({
      stdout: expect.stringMatching(/^\{\n[\s\S]*"code": "usage"/),
      stderr: '',
      exitCode: 2,
    });
    expect(await runInProcess(['help', 'nothing'])).toEqual({
      stdout: '',
      stderr: 'error: unknown command "nothing"; see webhook-cli --help\n',
      exitCode: 2,
    });
  });

  it('prints without color into a pipe', async () => {
    const { stdout } = await run(['review', '--demo', '-f', 'fixtures/manifests/pod-sidecar.yaml'], { ...bundled, CI: 'true' });
    expect(stdout).not.toContain('\u001b');
  });

  it('stops printing to a closed pipe, and exits with the decision', async () => {
    const child = spawn(process.execPath, [program, 'review', '--demo', '-f', 'fixtures/manifests/pod-privileged.yaml'], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', chunk => {
      stderr += chunk;
    });
    const exitCode = await new Promise(resolve => child.on('close', resolve));
    expect([exitCode, stderr]).toEqual([1, '']);
  });

  it.skipIf(process.platform !== 'linux')('says when there is no room for what it prints', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [program, '--version'], { cwd: root, env, stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    let stderr = '';
    child.stderr?.on('data', chunk => {
      stderr += chunk;
    });
    const exitCode = await new Promise(resolve => child.on('close', resolve));
    expect([exitCode, stderr]).toEqual([6, 'error: stdout: no space left on device\n']);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends a server on %s with %i', async (signal, expected) => {
    const child = spawn(process.execPath, [program, 'serve', '--port', '0'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    await new Promise(resolve => child.stderr.once('data', resolve));
    child.kill(signal);
    expect(await new Promise(resolve => child.on('close', resolve))).toBe(expected);
  });
});

describe('a computing program', { timeout: 60_000 }, () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends on %s at once', async (signal, expected) => {
    const child = spawn(process.execPath, [program, 'request', '-f', '-'], { cwd: root, env, stdio: ['pipe', 'ignore', 'ignore'] });
    // Reading it takes longer than all that ends at once, on a busy machine, too.
    child.stdin.end(`kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata:\n${'  a: "b\\tc"\n'.repeat(4_000_000)}`);
    await new Promise(resolve => child.stdin.once('finish', resolve));
    const started = performance.now();
    child.kill(signal);
    const [code, by] = await new Promise<[number | null, string | null]>(resolve => child.on('close', (...ended) => resolve(ended)));
    expect([code, by === signal]).toEqual(by === signal ? [null, true] : [expected, false]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('the bundle and its code cache', { timeout: 20_000 }, () => {
  it('do not change the output, with a new, existing, damaged or disabled cache', async () => {
    const folder = mkdtempSync(path.join(cache, 'own-'));
    const own = { XDG_CACHE_HOME: folder };
    const help = ['request', '--help'];
    const expected = await runInProcess(help);
    expect([expected.exitCode, expected.stderr]).toEqual([0, '']);
    expect(await run(help, { ...own, WEBHOOK_CLI_NO_CODE_CACHE: '1' })).toEqual(expected);
    expect(filesBelow(folder)).toEqual([]);
    expect(await run(help, own)).toEqual(expected);
    const caches = filesBelow(folder);
    expect(caches.map(name => path.basename(name))).toEqual(['request-help-first.v8', 'request-help-third.v8']);
    const [file = ''] = caches;
    const kept = readFileSync(file);
    expect(await run(help, own)).toEqual(expected);
    expect(readFileSync(file).equals(kept)).toBe(true);
    writeFileSync(file, kept.subarray(0, kept.length >> 1));
    expect(await run(help, own)).toEqual(expected);
    expect(filesBelow(folder)).toEqual(caches);
    expect(readFileSync(file).length).toBeGreaterThan(kept.length >> 1);
  });

  it.skipIf(process.platform === 'win32')('use no folder that other users can write', async () => {
    const folder = mkdtempSync(path.join(cache, 'own-'));
    const help = ['request', '--help'];
    await run(help, { XDG_CACHE_HOME: folder });
    const [file = ''] = filesBelow(folder);
    rmSync(file);
    chmodSync(path.dirname(file), 0o777);
    expect((await run(help, { XDG_CACHE_HOME: folder })).exitCode).toBe(0);
    expect(filesBelow(folder)).not.toContain(file);
  });

  it.each([[['--version']], [['--help']], [['-v']], [['-h']], [[]]])(
    "answer %s without starting the program, with the program's output",
    async argv => {
      const folder = mkdtempSync(path.join(cache, 'own-'));
      const prepared = await run(argv, { XDG_CACHE_HOME: folder });
      expect([prepared.exitCode, filesBelow(folder)]).toEqual([0, []]);
      expect(prepared).toEqual(await runInProcess(argv));
    },
  );

  it('decide as the modules do', async () => {
    const refused = ['review', '--demo', '-f', 'fixtures/manifests/pod-privileged.yaml', '-o', 'patch'];
    const [one, other] = await Promise.all([run(refused), runCommand(Review, refused.slice(1))]);
    expect(one).toEqual(other);
    expect(one.exitCode).toBe(1);
  });

  it.each([
    ['request', [], ['request-first.v8']],
    ['request', ['-f', 'fixtures/manifests/pod-privileged.yaml'], ['request-first.v8', 'request-second.v8']],
    ['review', ['--demo'], ['review-demo-first.v8']],
    ['review', ['--demo', '-o', 'json', '--include', 'steps'], ['review-demo-json-steps-first.v8']],
  ])('load only the parts that %s %j needs', async (command, flags, parts) => {
    const folder = mkdtempSync(path.join(cache, 'own-'));
    const argv = [command, ...flags, '-f', 'fixtures/manifests/pod-sidecar.yaml'];
    expect((await run(argv, { XDG_CACHE_HOME: folder })).exitCode).toBe(0);
    expect(filesBelow(folder).map(name => path.basename(name))).toEqual(parts);
  });

  it('do not use the code of a command that crashed', async () => {
    const folder = mkdtempSync(path.join(cache, 'own-'));
    const own = { XDG_CACHE_HOME: folder };
    const help = ['request', '--help'];
    const expected = await run(help, own);
    const [file = '', ...others] = filesBelow(folder);
    await run(['match', '--help'], own);
    const crashed = spawnSync(process.execPath, ['-e', '']).pid;
    const trace = path.join(path.dirname(file), `request.${crashed}.running`);
    writeFileSync(trace, '');
    const writtenAt = (name: string): number => statSync(name).mtimeMs;
    const used = [file, file.replace('request', 'match')].map(writtenAt);
    // Another command keeps its code.
    await run(['match', '--help'], own);
    expect([writtenAt(file), existsSync(trace)]).toEqual([used[0], true]);
    expect(await run(help, own)).toEqual(expected);
    expect(existsSync(trace)).toBe(false);
    expect(writtenAt(file)).not.toBe(used[0]);
    expect(writtenAt(file.replace('request', 'match'))).toBe(used[1]);
    expect(filesBelow(folder).filter(name => path.basename(name).startsWith('request'))).toEqual([file, ...others]);
  });

  it('are removed after a crash', async () => {
    const folder = mkdtempSync(path.join(cache, 'own-'));
    const argv = ['serve', '--port', '0', '-o', 'json'];
    expect((await run(['serve', '--help'], { XDG_CACHE_HOME: folder })).exitCode).toBe(0);
    const [file = ''] = filesBelow(folder);
    const child = spawn(process.execPath, [program, ...argv], {
      env: { ...env, XDG_CACHE_HOME: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await new Promise(resolve => child.stdout.once('data', resolve));
    expect(existsSync(path.join(path.dirname(file), `serve.${child.pid}.running`))).toBe(true);
    child.kill('SIGKILL');
    await new Promise(resolve => child.on('close', resolve));
    const used = statSync(file).mtimeMs;
    await run(['serve', '--help'], { XDG_CACHE_HOME: folder });
    expect(statSync(file).mtimeMs).not.toBe(used);
    expect(filesBelow(folder).filter(name => name.endsWith('.running'))).toEqual([]);
  });

  it('works without a writable folder', async () => {
    expect(await run(['request', '--help'], { XDG_CACHE_HOME: program })).toEqual({
      stdout: expect.stringMatching(/^Print the AdmissionReviews/),
      stderr: '',
      exitCode: 0,
    });
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
    .sort();
}
