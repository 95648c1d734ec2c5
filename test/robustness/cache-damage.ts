import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readStateManifests } from '../../src/cli/work/input/state-cache.js';
import { writeValue } from '../../src/go/json/write.js';
import { randomFrom } from '../differential/random.js';
import { server } from '../support/server.js';
import { damages } from './damage.js';
import { runWithDamagedCode } from './damaged-code.js';

/**
 * Damages the caches of code and of states, each COUNT times, and checks that every run prints what it prints without a cache:
 * `node dist/test/robustness/cache-damage.js [COUNT] [SEED] [COMMAND ...]`; `states` is the cache of states. Exit code 1 for a wrong result or a crash.
 */
const [count = '1000', seed = '1', ...only] = process.argv.slice(2);
const program = fileURLToPath(new URL('../../../bin/run.js', import.meta.url));
const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n';

const hooks = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: a}
webhooks: [{name: a.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {url: "https://127.0.0.1:1/"}}]
`;

/** A short run of each command that ends by itself and compiles enough to be cached. */
const commands: Readonly<Record<string, readonly string[]>> = {
  review: ['-f', 'pod.yaml', '--demo', '-o', 'name'],
  request: ['--help'],
  match: ['-f', 'pod.yaml', '--demo'],
  test: ['--help'],
  lint: ['-f', 'hooks.yaml'],
  replay: ['--help'],
  convert: ['--help'],
  certs: ['inspect', '--help'],
  fuzz: ['--help'],
  proxy: ['--help'],
  serve: ['--help'],
  apiserver: ['--help'],
  dev: ['--help'],
  init: ['--help'],
  snapshot: ['list'],
  state: ['--help'],
  diagnose: ['EOF'],
  completion: ['bash'],
  report: ['merge', '--help'],
  envtest: ['--help'],
  controlplane: ['--help'],
  playground: ['--help'],
  trust: [],
  wait: ['--help'],
};

let bad = 0;
for (const [command, argv] of Object.entries(commands)) if (only.length === 0 || only.includes(command)) bad += await codeOf(command, argv);
if (only.length === 0 || only.includes('states')) bad += await states();
if (bad > 0) process.exitCode = 1;

async function codeOf(command: string, argv: readonly string[]): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cache-damage-'));
  const cwd = path.join(folder, 'work');
  mkdirSync(cwd);
  writeFileSync(path.join(cwd, 'pod.yaml'), pod);
  writeFileSync(path.join(cwd, 'hooks.yaml'), hooks);
  const run = { folder: path.join(folder, 'cache'), count: Number(count), seed: Number(seed), cwd };
  const { files, wrong } = await runWithDamagedCode(program, [command, ...argv], run);
  rmSync(folder, { recursive: true });
  console.log(`${command}: ${wrong.length} wrong of ${count} runs with damaged ${files.join(', ')}`);
  for (const line of wrong.slice(0, 5)) console.log(`  ${line}`);
  // Without a cache there is nothing to damage.
  return wrong.length + (files.length === 0 ? 1 : 0);
}

async function states(): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cache-damage-'));
  const text = Array.from(
    { length: 20 },
    (_, i) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a${i}}\ndata: {a: "${String(i).repeat(3500)}"}\n`,
  );
  const files = [{ source: 'a.yaml', bytes: Buffer.from(text.join('---\n')) }];
  const read = async (): Promise<string> =>
    JSON.stringify((await readStateManifests(server, files, folder)).map(({ object, location }) => [writeValue(object, 'kept'), location]));
  const expected = await read();
  const [name = ''] = readdirSync(folder);
  const entry = path.join(folder, name);
  const good = readFileSync(entry);
  const random = randomFrom(Number(seed));
  const kinds = Object.values(damages);
  let wrong = 0;
  for (let i = 0; i < Number(count); i += 1) {
    writeFileSync(entry, kinds[i % kinds.length]?.(good, random) ?? good);
    if ((await read()) !== expected) wrong += 1;
  }
  rmSync(folder, { recursive: true });
  console.log(`states: ${wrong} wrong of ${count} damages`);
  return wrong;
}
