#!/usr/bin/env node
// Tries the single executable: node scripts/try-executable.js [FILE]. Runs it without Node, PATH, home and variables, for root on Linux also in a file
// system with nothing but the libraries of C, and compares exit codes and output with the program as built.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Node itself has 94 MiB in version 20, 121 in 24 and 143 in 26. */
const maxBytes = 170 * 2 ** 20;

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const name = process.platform === 'win32' ? 'webhook-cli.exe' : 'webhook-cli';
const file = path.resolve(process.argv[2] ?? path.join(root, 'dist/executable', name));
const folder = mkdtempSync(path.join(tmpdir(), 'webhook-cli-root-'));
const hasOwnRoot = process.platform === 'linux' && process.getuid() === 0;

/** Arguments and their exit code; run one after another in one folder. */
const commands = [
  [['--version'], 0],
  [['--help'], 0],
  [['test', '--help'], 0],
  [['certs', 'create'], 0],
  [['certs', 'create', '-o', 'json'], 0],
  [['review', '--demo', '-f', 'manifests/pod-sidecar.yaml'], 0],
  [['review', '--demo', '-f', 'manifests/pod-privileged.yaml', '-o', 'json'], 1],
  [['review', '--demo', '--kubernetes-version', 'v1.34', '-f', 'manifests/pod-sidecar.yaml'], 0],
  [['request', '--seed', '1', '--now', '2026-11-21T00:00:00Z', '-f', 'manifests/pod-sidecar.yaml'], 0],
  [['test', 'suites/demo', '--check', '--concurrency', '1'], 0],
  [['test', 'suites/demo', '--check', '--concurrency', '2', '--jobs', '2'], 0],
  [['completion', 'bash'], 0],
  [['init', '--dry-run', 'manifests'], 0],
  [['lint', '-f', 'lint/fail-without-exclusion.yaml'], 0],
  // Runs TypeScript up to the error that it throws.
  [['serve', '--handlers', 'throws.ts', '--cert-dir', 'certs'], 3],
  [['review', '-f', 'manifests/pod-sidecar.yaml'], 2],
  [['nonsense'], 2],
  [['review', '--demo', '-f', 'missing.yaml'], 3],
  [['review', '--url', 'https://127.0.0.1:1', '-f', 'manifests/pod-sidecar.yaml'], 4],
];

try {
  const { size } = statSync(file);
  assert.ok(size <= maxBytes, `the executable has ${size} bytes, at most ${maxBytes} are expected`);
  const [alone, built] = ['alone', 'built'].map(workFolder);
  const runAlone = executableIn(alone);
  for (const [argv, exitCode] of commands) {
    const expected = ran(process.execPath, [path.join(root, 'bin/run.js'), ...argv], built);
    assert.deepEqual({ argv, ...runAlone(argv) }, { argv, ...expected });
    assert.equal(expected.status, exitCode, `${argv.join(' ')}: ${expected.stderr}`);
  }
  const place = hasOwnRoot ? 'a root without anything else' : 'an empty environment';
  process.stdout.write(`${name}: ${size} bytes; ${commands.length} commands answer as the built program, in ${place}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Makes a folder with the files that the commands read. */
function workFolder(place) {
  const made = path.join(folder, place);
  for (const part of ['manifests', 'objects', 'operations', 'lint', 'suites/demo', 'suites/manifests']) {
    cpSync(path.join(root, 'fixtures', part), path.join(made, part), { recursive: true });
  }
  writeFileSync(
    path.join(made, 'throws.ts'),
    'export default (server: object): void => { throw new Error(typeof server satisfies string); };\n',
  );
  // Read with the list of all commands.
  writeFileSync(path.join(made, 'webhook-cli.yaml'), 'kubernetes-version: v1.36\n');
  return made;
}

/** Returns a function that runs the executable with arguments in `alone`; where possible, that is also the root of its file system. */
function executableIn(alone) {
  const copy = path.join(alone, name);
  copyFileSync(file, copy);
  if (!hasOwnRoot) return argv => ran(copy, argv, alone);
  const { stdout } = spawnSync('ldd', [file], { encoding: 'utf8' });
  for (const [library] of stdout.matchAll(/\/\S+/g)) {
    mkdirSync(path.join(alone, path.dirname(library)), { recursive: true });
    copyFileSync(library, path.join(alone, library));
  }
  const chroot = ['/usr/sbin/chroot', '/usr/bin/chroot'].find(existsSync) ?? 'chroot';
  return argv => ran(chroot, [alone, `/${name}`, ...argv], alone);
}

/** Runs without variables, but for what Windows needs for sockets. */
function ran(command, argv, cwd) {
  const env = process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {};
  const { status, stdout, stderr, error } = spawnSync(command, argv, { cwd, env, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return { status, stdout: masked(stdout, cwd), stderr: masked(stderr, cwd) };
}

/** Without what differs from run to run: times, names and prints of keys, ports and the working folder. */
function masked(text, cwd) {
  return text
    .replaceAll(cwd, '')
    .replaceAll(/ *\b\d+(?:\.\d+)? m?s\b/g, ' N ms')
    .replaceAll(/"(\w*(?:[Dd]uration|[Mm]s|Seconds))": ?[\d.]+/g, '"$1": N')
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, 'DATE')
    .replaceAll(/[\w+/]{80,}=*/g, 'BASE64')
    .replaceAll(/\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b/g, 'HEX')
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT');
}
