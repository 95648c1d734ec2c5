// Rows of bench/run.js: commands with the baseline that each is compared with, and benchmarks that measure themselves.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { prepareNamespace, realStart } from './api-servers.js';
import { writeManifests, writeState } from './inputs.js';
import { measuredRun, mediansOf } from './processes.js';
import { scaleRows } from './scale.js';
import { measureSuites } from './suites.js';

const node = 'node -e 0';
const post = 'node, one POST over TLS';
const reviewBesideKubectl = 'review of one pod beside kubectl';
const notMeasured = 'not measured: ORACLE_APISERVER is not set';
const root = path.dirname(import.meta.dirname);
const program = path.join(root, 'bin/run.js');
const pod = path.join(root, 'fixtures/manifests/pod-sidecar.yaml');

/** Returns every command with its baseline, the name of another row. Ratios are of CPU time unless `byWall` is set. */
export function commandRows({ url, caFile, folder }) {
  const text = readFileSync(pod, 'utf8');
  const [thousand, tenThousand] = [1000, 10_000].map(count => writeManifests(folder, `manifests-${count}`, count, text));
  const state = writeState(folder);
  const command = (name, argv, more) => ({ name, argv: [program, ...argv], ...more });
  const review = reviewArguments({ url, caFile });
  const inTeam = path.join(folder, 'pod.yaml');
  writeFileSync(inTeam, text.replace('namespace: shop', 'namespace: team-1'));
  const inState = ['review', '--url', url, '--ca-file', caFile, '-f', inTeam, '--state', state];
  return [
    { name: node, argv: ['-e', '0'], isBaseline: true },
    { name: post, argv: [path.join(root, 'bench/bare-post.js'), url, caFile, reviewBody(folder)], isBaseline: true },
    command('--version', ['--version'], { baseline: node, goal: 1.25, byWall: true }),
    command('--help', ['--help'], { baseline: node, goal: 1.25, byWall: true }),
    command('review of one pod', review, { baseline: post, goal: 1.15, byWall: true }),
    ...executableRows(review),
    command('review of one pod, JSON', [...review, '-o', 'json'], { baseline: post, byWall: true }),
    command('review of one pod, JSON with steps', [...review, '-o', 'json', '--include', 'steps'], {
      baseline: 'review of one pod, JSON',
      goal: 1.05,
      byWall: true,
    }),
    command('review of one pod, no code cache', review, { baseline: post, goal: 2, byWall: true, env: { WEBHOOK_CLI_NO_CODE_CACHE: '1' } }),
    command('review of one pod, compiled modules', review, { baseline: post, byWall: true, env: { WEBHOOK_CLI_NO_BUNDLE: '1' } }),
    command('request for one pod', ['request', '-f', pod], { baseline: node, isBaseline: true }),
    command('review --demo', ['review', '--demo', '-f', pod], { baseline: 'request for one pod', goal: 1.3 }),
    command('review, state of 36,000 lines, parsed', inState, {
      baseline: node,
      goal: '1200 ms of CPU',
      env: { WEBHOOK_CLI_NO_STATE_CACHE: '1' },
    }),
    command('review, state of 36,000 lines, kept', inState, { baseline: node, goal: '200 ms of CPU' }),
    command('request on 1,000 manifests', ['request', '-f', thousand], { baseline: node, goal: 8, rounds: 5 }),
    command('request on 10,000 manifests', ['request', '-f', tenThousand], {
      baseline: 'request on 1,000 manifests',
      goal: 8,
      rounds: 2,
      isCold: true,
    }),
  ];
}

/** The executable that scripts/executable.js has built, if there is one. */
function executableRows(argv) {
  const executable = path.join(root, 'dist/executable/webhook-cli');
  return existsSync(executable) ? [{ name: 'review of one pod, executable', executable, argv, baseline: post, goal: 1, byWall: true }] : [];
}

function reviewArguments({ url, caFile }) {
  return ['review', '--url', url, '--ca-file', caFile, '-f', pod];
}

function reviewBody(folder) {
  const file = path.join(folder, 'review.json');
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', annotations: { filler: 'x'.repeat(4000) } } };
  writeFileSync(file, JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 'bench', object } }));
  return file;
}

/** Returns the selected rows of benchmarks that measure themselves. `webhook` is the address of a webhook and the file of its CA. */
export async function otherRows(isWanted, node, webhook) {
  const all = [
    { name: reviewBesideKubectl, rows: () => kubectlRows(node, webhook) },
    { name: 'apiserver, 12,000 pods', rows: () => scaleRows({ pods: 12_000, watchers: 1000, updates: 300, node, startReal: realStart() }) },
    { name: 'match of one object past 1,000 webhooks', rows: selectionRows },
    { name: 'test, 2,000 cases', rows: suiteRows },
    { name: 'test, 2,000 cases, a webhook of 20 ms', rows: jobsRows },
    { name: 'test, 20,000 cases', rows: memoryRows },
  ];
  const rows = [];
  for (const one of all) if (isWanted(one)) rows.push(...(await one.rows(one.name, node)));
  return rows;
}

/** A cold review beside a cold kubectl that asks a running API server, which calls the same webhook. */
async function kubectlRows(node, { url, caFile, rounds }) {
  const { KUBECTL = 'kubectl' } = process.env;
  const startReal = realStart();
  if (startReal === undefined) return [{ name: reviewBesideKubectl, figure: notMeasured }];
  const baseline = `kubectl ${versionOfKubectl(KUBECTL)} create --dry-run=server`;
  const real = await startReal();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'webhook-cli-kubectl-'));
  try {
    await prepareNamespace(real.client, 'shop', { url, caFile });
    const client = ['--kubeconfig', real.kubeconfig, '--cache-dir', path.join(folder, 'kubectl')];
    const programs = [
      { name: baseline, executable: KUBECTL, argv: ['create', '--dry-run=server', '-f', pod, ...client] },
      {
        name: reviewBesideKubectl,
        executable: node,
        argv: [program, ...reviewArguments({ url, caFile })],
        env: { XDG_CACHE_HOME: folder },
      },
    ];
    const runs = new Map(programs.map(({ name }) => [name, []]));
    // The first run of each fills its cache.
    for (let round = 0; round <= rounds; round++) {
      for (const one of programs) {
        const run = await measuredRun(one);
        if (round > 0) runs.get(one.name).push(run);
      }
    }
    const [kubectl, review] = programs.map(({ name }) => ({ name, ...mediansOf(runs.get(name)) }));
    const byCpu = {
      name: `${reviewBesideKubectl}, CPU`,
      baseline: `${baseline}, without the server's`,
      goal: 0.8,
      ratio: review.cpu / kubectl.cpu,
    };
    return [kubectl, { ...review, baseline, byWall: true, goal: 0.8, ratio: review.wall / kubectl.wall }, byCpu];
  } finally {
    await real.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function versionOfKubectl(kubectl) {
  const text = execFileSync(kubectl, ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  return JSON.parse(text).clientVersion.gitVersion;
}

function selectionRows(name, node) {
  const text = execFileSync(node, [path.join(import.meta.dirname, 'selection.js'), '0'], { encoding: 'utf8' });
  return [{ name, figure: /[\d.]+ ms of CPU a call/.exec(text)?.[0] ?? 'unknown', goal: '3 ms' }];
}

async function suiteRows(name, node) {
  const { rates, cpuMs, realCpuMs } = await measureSuites({ node, cases: 2000, rounds: 3, work: '0', startReal: realStart() });
  const { real, undici } = rates;
  const rateOf = rate => (rate === undefined ? notMeasured : `${rate.toFixed(0)}/s`);
  const against = { baseline: 'API server, 2,000 dry-run creates', isRate: true };
  const perReal = rate => (real === undefined ? undefined : rate / real);
  return [
    { name: 'bare undici loop, 2,000 reviews', figure: rateOf(undici) },
    {
      name: `${name}, against undici`,
      figure: `${rates.kept.toFixed(0)} cases/s`,
      baseline: 'bare undici loop, 2,000 reviews',
      ratio: rates.kept / undici,
      isRate: true,
    },
    {
      name: 'API server, 2,000 dry-run creates',
      figure: `${rateOf(real)}${realCpuMs ? `, ${realCpuMs.toFixed(2)} ms of CPU each` : ''}`,
    },
    { name: `${name}, one thread`, figure: `${rates.kept.toFixed(0)} cases/s`, ...against, ratio: perReal(rates.kept) },
    { name: `${name}, a thread per core`, figure: `${rates.jobs.toFixed(0)} cases/s`, ...against, ratio: perReal(rates.jobs), goal: 1 },
    {
      name: `${name}, CPU`,
      figure: `${cpuMs.toFixed(2)} ms each`,
      baseline: 'API server, CPU of a dry-run create',
      ratio: realCpuMs === undefined ? undefined : cpuMs / realCpuMs,
      goal: 0.6,
    },
  ];
}

async function jobsRows(name, node) {
  const { rates } = await measureSuites({ node, cases: 2000, rounds: 3, work: '20' });
  const baseline = `${name}, one thread`;
  return [
    { name: baseline, figure: `${rates.kept.toFixed(0)} cases/s` },
    {
      name: `${name}, a thread per core`,
      figure: `${rates.jobs.toFixed(0)} cases/s`,
      baseline,
      ratio: rates.jobs / rates.kept,
      goal: 1.7,
      isRate: true,
    },
  ];
}

async function memoryRows(name, node) {
  const { memory } = await measureSuites({ node, cases: 20_000, rounds: 0, work: '0' });
  const baseline = 'test, 5,000 cases';
  return [
    { name: baseline, figure: `${memory[0].toFixed(0)} MiB` },
    { name, figure: `${memory[1].toFixed(0)} MiB`, baseline, ratio: memory[1] / memory[0], goal: '200 MiB' },
  ];
}
