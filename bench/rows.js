// Rows of bench/run.js: commands with the baseline that each is compared with, and benchmarks that measure themselves.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeManifests, writeState } from './inputs.js';
import { measureSuites } from './suites.js';

const node = 'node -e 0';
const post = 'node, one POST over TLS';

/** Returns every command with its baseline, the name of another row. Ratios are of CPU time unless `byWall` is set. */
export function commandRows({ url, caFile, folder, root }) {
  const pod = path.join(root, 'fixtures/manifests/pod-sidecar.yaml');
  const text = readFileSync(pod, 'utf8');
  const [thousand, tenThousand] = [1000, 10_000].map(count => writeManifests(folder, `manifests-${count}`, count, text));
  const state = writeState(folder);
  const program = (name, argv, more) => ({ name, argv: [path.join(root, 'bin/run.js'), ...argv], ...more });
  const review = ['review', '--url', url, '--ca-file', caFile, '-f', pod];
  const inTeam = path.join(folder, 'pod.yaml');
  writeFileSync(inTeam, text.replace('namespace: shop', 'namespace: team-1'));
  const inState = ['review', '--url', url, '--ca-file', caFile, '-f', inTeam, '--state', state];
  return [
    { name: node, argv: ['-e', '0'], isBaseline: true },
    { name: post, argv: [path.join(root, 'bench/bare-post.js'), url, caFile, reviewBody(folder)], isBaseline: true },
    program('--version', ['--version'], { baseline: node, goal: 1.25, byWall: true }),
    program('--help', ['--help'], { baseline: node, goal: 1.25, byWall: true }),
    program('review of one pod', review, { baseline: post, goal: 1.15, byWall: true }),
    ...executableRows(root, review),
    program('review of one pod, JSON', [...review, '-o', 'json'], { baseline: post, byWall: true }),
    program('review of one pod, JSON with steps', [...review, '-o', 'json', '--include', 'steps'], {
      baseline: 'review of one pod, JSON',
      goal: 1.05,
      byWall: true,
    }),
    program('review of one pod, no code cache', review, { baseline: post, goal: 2, byWall: true, env: { WEBHOOK_CLI_NO_CODE_CACHE: '1' } }),
    program('review of one pod, compiled modules', review, { baseline: post, byWall: true, env: { WEBHOOK_CLI_NO_BUNDLE: '1' } }),
    program('request for one pod', ['request', '-f', pod], { baseline: node, isBaseline: true }),
    program('review --demo', ['review', '--demo', '-f', pod], { baseline: 'request for one pod', goal: 1.3 }),
    program('review, state of 36,000 lines, parsed', inState, {
      baseline: node,
      goal: '1200 ms of CPU',
      env: { WEBHOOK_CLI_NO_STATE_CACHE: '1' },
    }),
    program('review, state of 36,000 lines, kept', inState, { baseline: node, goal: '200 ms of CPU' }),
    program('request on 1,000 manifests', ['request', '-f', thousand], { baseline: node, goal: 8, rounds: 5 }),
    program('request on 10,000 manifests', ['request', '-f', tenThousand], {
      baseline: 'request on 1,000 manifests',
      goal: 8,
      rounds: 2,
      isCold: true,
    }),
  ];
}

/** The executable that scripts/executable.js has built, if there is one. */
function executableRows(root, argv) {
  const executable = path.join(root, 'dist/executable/webhook-cli');
  return existsSync(executable) ? [{ name: 'review of one pod, executable', executable, argv, baseline: post, goal: 1, byWall: true }] : [];
}

function reviewBody(folder) {
  const file = path.join(folder, 'review.json');
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', annotations: { filler: 'x'.repeat(4000) } } };
  writeFileSync(file, JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 'bench', object } }));
  return file;
}

/** Returns the selected rows of benchmarks that measure themselves. */
export async function otherRows(isWanted, node = process.execPath) {
  const all = [
    { name: 'match of one object past 1,000 webhooks', rows: selectionRows },
    { name: 'test, 2,000 cases', rows: suiteRows },
    { name: 'test, 2,000 cases, a webhook of 20 ms', rows: jobsRows },
    { name: 'test, 20,000 cases', rows: memoryRows },
  ];
  const rows = [];
  for (const one of all) if (isWanted(one)) rows.push(...(await one.rows(one.name, node)));
  return rows;
}

function selectionRows(name, node) {
  const text = execFileSync(node, [path.join(import.meta.dirname, 'selection.js'), '0'], { encoding: 'utf8' });
  return [{ name, figure: /[\d.]+ ms of CPU a call/.exec(text)?.[0] ?? 'unknown', goal: '3 ms' }];
}

async function suiteRows(name, node) {
  const { rates, cpuMs, oracleCpuMs } = await measureSuites({ node, cases: 2000, rounds: 3, work: '0' });
  const { oracle, undici } = rates;
  const rateOf = rate => (rate === undefined ? 'not measured: ORACLE_APISERVER is not set' : `${rate.toFixed(0)}/s`);
  const against = { baseline: 'API server, 2,000 dry-run creates', isRate: true };
  const perOracle = rate => (oracle === undefined ? undefined : rate / oracle);
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
      figure: `${rateOf(oracle)}${oracleCpuMs ? `, ${oracleCpuMs.toFixed(2)} ms of CPU each` : ''}`,
    },
    { name: `${name}, one thread`, figure: `${rates.kept.toFixed(0)} cases/s`, ...against, ratio: perOracle(rates.kept) },
    { name: `${name}, a thread per core`, figure: `${rates.jobs.toFixed(0)} cases/s`, ...against, ratio: perOracle(rates.jobs), goal: 1 },
    {
      name: `${name}, CPU`,
      figure: `${cpuMs.toFixed(2)} ms each`,
      baseline: 'API server, CPU of a dry-run create',
      ratio: oracleCpuMs === undefined ? undefined : cpuMs / oracleCpuMs,
      goal: 0.8,
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
