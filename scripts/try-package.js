#!/usr/bin/env node
// Tries what is published: packs the built package, checks its files and size, installs it into an empty folder, and uses it there as a command, as a
// library in a module and in CommonJS, and from TypeScript. Prints what it found; exits with 1 for the first thing that is wrong.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packPackage } from './pack.js';

/** With 1 MB packed and 4 MB unpacked for the pages and their pictures: the engine and its tables for browsers. */
const maxPackedBytes = 4_100_000;
const maxUnpackedBytes = 18_000_000;

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(path.join(tmpdir(), 'webhook-cli-package-'));
const manifest = path.join(root, 'fixtures/manifests/pod-privileged.yaml');
try {
  const tarball = pack();
  await lint(tarball);
  install(tarball);
  tryCommand();
  tryEnvtest();
  tryLibrary();
  tryTypes();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function npm(argv, cwd = folder) {
  // A script of npm's own on Windows.
  return execFileSync('npm', argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
}

/** Returns the path of the tarball. */
function pack() {
  const { tarball, size, unpackedSize, files } = packPackage(folder);
  process.stdout.write(`${path.basename(tarball)}: ${files.length} files, ${size} bytes, ${unpackedSize} bytes unpacked\n`);
  const published =
    /^(?:bin\/(?:run\.js|package\.json)|dist\/bundle\/|dist\/types\/|docs\/|fixtures\/|schemas\/|oclif\.manifest\.json|package\.json|[A-Z]+(?:\.md)?$)/;
  const others = files.filter(name => !published.test(name) || /\.(?:map|tsbuildinfo|test\.\w+)$/.test(name));
  assert.deepEqual(others, [], 'the package has files that nobody needs');
  assert.ok(size <= maxPackedBytes, `the package has ${size} bytes, and at most ${maxPackedBytes} are expected`);
  assert.ok(
    unpackedSize <= maxUnpackedBytes,
    `the package has ${unpackedSize} bytes unpacked, and at most ${maxUnpackedBytes} are expected`,
  );
  return tarball;
}

/** Installs the package; npm must have nothing to warn of, with scripts of packages and without. */
function install(tarball) {
  npm(['init', '--yes']);
  for (const more of [['--ignore-scripts'], []]) {
    rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
    const argv = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...more, tarball];
    const { status, stderr } = spawnSync('npm', argv, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  }
  const installed = JSON.parse(readFileSync(path.join(folder, 'node_modules/webhook-cli/package.json'), 'utf8'));
  assert.deepEqual([installed.scripts, installed.devDependencies], [undefined, undefined]);
}

async function lint(tarball) {
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer }, strict: true });
  assert.deepEqual(
    messages.map(message => formatMessage(message, pkg, { color: false })),
    [],
  );
  process.stdout.write('publint finds nothing\n');
}

function tryCommand() {
  assert.match(npm(['exec', '--', 'webhook-cli', '--version']), /^webhook-cli\/\d/);
  const { status, stdout } = spawnSync('npm', ['exec', '--', 'webhook-cli', 'review', '--demo', '-f', manifest], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  assert.equal(status, 1, stdout);
  assert.match(stdout, /^Error from server \(Forbidden\): /m);
  process.stdout.write('the installed command reviews a pod\n');
}

/** The executables for test environments start the installed package. */
function tryEnvtest() {
  const isWindows = process.platform === 'win32';
  const file = path.join(npm(['exec', '--', 'webhook-cli', 'envtest']).trim(), `kube-apiserver${isWindows ? '.cmd' : ''}`);
  assert.match(execFileSync(file, ['--help'], { encoding: 'utf8', shell: isWindows }), /^ +--secure-port\b/m);
  const { status, stderr } = spawnSync(file, ['--nonsense'], { encoding: 'utf8', shell: isWindows });
  assert.deepEqual([status, stderr], [1, 'Error: unknown flag: --nonsense\n']);
  process.stdout.write('kube-apiserver of envtest starts\n');
}

function tryLibrary() {
  const use = [
    "const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } };",
    'review({ manifest: pod, demo: true }).then(({ decision }) => console.log(decision.code, new CliError("usage", "x") instanceof Error));',
  ].join('\n');
  const files = {
    'module.mjs': `import { CliError, review } from 'webhook-cli';\n${use}`,
    'common.cjs': `const { CliError, review } = require('webhook-cli');\n${use}`,
    'same.mjs':
      "import { createRequire } from 'node:module';\nimport { review } from 'webhook-cli';\nconsole.log(createRequire(import.meta.url)('webhook-cli').review === review);",
  };
  const printed = Object.entries(files).map(([name, text]) => {
    writeFileSync(path.join(folder, name), text);
    return execFileSync(process.execPath, [name], { cwd: folder, encoding: 'utf8' });
  });
  assert.deepEqual(printed, ['201 true\n', '201 true\n', 'true\n']);
  process.stdout.write('the library reviews a pod, in a module and in CommonJS, with one instance\n');
}

/** Types without `skipLibCheck`: each of them has to be found, and right where it stands. */
function tryTypes() {
  const text = [
    "import { CliError, review, validator, type ReviewReport, type WebhookServer } from 'webhook-cli';",
    'export const report: Promise<ReviewReport> = review({ demo: true, manifest: "pod.yaml" });',
    'export const register = (server: WebhookServer): void => server.register("/", validator({}));',
    '// @ts-expect-error there is no such option',
    'export const wrong = review({ demos: true, manifest: "pod.yaml" });',
    'export const fault: Error = new CliError("usage", "x");',
  ].join('\n');
  const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript-7/package.json')), 'bin/tsc');
  for (const name of ['types.mts', 'types.cts', 'types.ts']) writeFileSync(path.join(folder, name), text);
  for (const [module, moduleResolution, files] of [
    ['node16', 'node16', ['types.mts', 'types.cts']],
    ['nodenext', 'nodenext', ['types.mts', 'types.cts']],
    ['esnext', 'bundler', ['types.ts']],
  ]) {
    const compilerOptions = {
      module,
      moduleResolution,
      strict: true,
      noEmit: true,
      target: 'es2022',
      typeRoots: [path.join(root, 'node_modules/@types')],
      types: ['node'],
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    assert.equal(status, 0, `${moduleResolution}: ${stdout}`);
  }
  process.stdout.write('types are found under node16, nodenext and bundler\n');
}
