import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:https';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Returns how often V8 read compiled code, of Node's modules and of the program. */
function readsOfCode(argv: readonly string[], cache: string): number {
  const { stdout } = spawnSync(process.execPath, ['--profile-deserialization', ...argv], {
    cwd: root,
    env: { ...process.env, XDG_CACHE_HOME: cache },
    encoding: 'utf8',
  });
  return stdout.match(/^\[Deserializing from \d+ bytes/gm)?.length ?? 0;
}

describe('commands that set flags of V8', { timeout: 20_000 }, () => {
  it('load modules of Node with the compiled code that Node has of them', () => {
    const { folder, remove } = temporaryFolder();
    const program = path.join(root, 'bin/run.js');
    const start = readsOfCode([program, '--version'], folder);
    const plain = readsOfCode(['--require', 'node:crypto', '--require', 'node:net', program, '--version'], folder);
    const request = readsOfCode([program, 'request', '-f', 'fixtures/manifests/pod-sidecar.yaml'], folder);
    remove();
    expect(plain).toBeGreaterThan(start);
    expect(request).toBeGreaterThanOrEqual(plain);
  });
});

/** Returns the checksums of the files with compiled code that are below a folder, by name. */
function filesWithCode(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.v8'));
  const checksum = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(path.join(folder, name)))
      .digest('hex');
  return Object.fromEntries(files.sort().map(name => [path.basename(name), checksum(name)]));
}

describe('the code cache', { timeout: 20_000 }, () => {
  it('has the code of each output format besides that of the command', () => {
    const { folder, remove } = temporaryFolder();
    const request = [path.join(root, 'bin/run.js'), 'request', '-f', 'fixtures/manifests/pod-sidecar.yaml'];
    const formats = [[], ['-o', 'json'], ['--output=json'], ['-o', '../../json'], ['-o', 'name']];
    const [plain = {}, json = {}, ...later] = formats.map(format => {
      readsOfCode([...request, ...format], folder);
      return filesWithCode(folder);
    });
    remove();
    expect(Object.keys(plain)).toEqual(['request-first.v8']);
    expect(json).toEqual({ ...plain, 'request-json-first.v8': expect.any(String) });
    // No code is written again, and none for a wrong format.
    expect(later).toEqual([json, json, json]);
  });

  it('gets the code of a later run that needs more of the program', () => {
    const { folder, remove } = temporaryFolder({
      'secret.json': '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}',
      'job.json': '{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a"},"spec":{"template":{"spec":{}}}}',
    });
    const [few = {}, more, ...later] = ['secret', 'job', 'job', 'secret'].map(name => {
      readsOfCode([path.join(root, 'bin/run.js'), 'request', '-f', path.join(folder, `${name}.json`)], folder);
      return filesWithCode(folder);
    });
    remove();
    expect(Object.keys(few)).toEqual(['request-first.v8', 'request-second.v8']);
    expect(more?.['request-second.v8']).not.toBe(few['request-second.v8']);
    expect(later).toEqual([more, more]);
  });

  it('of the help is not that of the command', () => {
    const { folder, remove } = temporaryFolder();
    readsOfCode([path.join(root, 'bin/run.js'), 'request', '--help'], folder);
    const names = Object.keys(filesWithCode(folder));
    remove();
    expect(names).toEqual(['request-help-first.v8', 'request-help-third.v8']);
  });

  it('of a server is read by its next run', { timeout: 60_000 }, async () => {
    const { folder, remove } = temporaryFolder({});
    const [first = {}, again] = [await codeOfServer(folder), await codeOfServer(folder)];
    remove();
    expect(Object.keys(first)).toContain('apiserver-server.v8');
    expect(again).toEqual(first);
  });
});

/** Runs an API server until it is ready, when it has loaded all that it loads without a call, and returns the checksums of its code. */
async function codeOfServer(folder: string): Promise<Readonly<Record<string, string>>> {
  const argv = [path.join(root, 'bin/run.js'), 'apiserver', '--kubeconfig', path.join(folder, 'kubeconfig')];
  const server = spawn(process.execPath, argv, { env: { ...process.env, XDG_CACHE_HOME: folder }, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(server.stdout, 'data');
  const [address = ''] = String(line).split('\n');
  while ((await statusAt(`${address}/readyz`)) !== 200);
  server.kill('SIGTERM');
  await once(server, 'exit');
  return filesWithCode(folder);
}

async function statusAt(url: string): Promise<number | undefined> {
  const [response] = await once(get(url, { rejectUnauthorized: false, agent: false }), 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}
