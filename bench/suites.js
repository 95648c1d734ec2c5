#!/usr/bin/env node
// Compares the cases per second of `test` with a bare undici loop that posts the same bodies to the same server, and with a real API server:
// node bench/suites.js [--cases 2000] [--rounds 3] [--work 0] [--url URL --ca-file FILE]
// Without --url it asks a server of its own in another process, which answers after --work milliseconds, as a webhook that looks something up.
// ORACLE_APISERVER is a program that runs a real API server (api-servers.js); without it that line is not measured. Also prints the peak memory with a quarter of
// the cases and with all of them, and whether random order and threads lead to the same results.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { prepareNamespace, realStart } from './api-servers.js';
import { writePods } from './inputs.js';
import { measuredRun, median, startServer } from './processes.js';

const program = path.join(path.dirname(import.meta.dirname), 'bin/run.js');
const concurrency = 8;
/** Threads of `test --jobs`. */
const jobs = Math.max(2, os.cpus().length);

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '2000' },
      rounds: { type: 'string', default: '3' },
      work: { type: 'string', default: '0' },
      url: { type: 'string' },
      'ca-file': { type: 'string' },
    },
  });
  const { cases, rounds, work, url } = values;
  report(
    { work, rounds },
    await measureSuites({ cases: Number(cases), rounds: Number(rounds), work, startReal: realStart(), url, caFile: values['ca-file'] }),
  );
}

/**
 * Returns medians of rates a second (all undefined for zero rounds, `real` also without `startReal`, which starts a real API server), memory in MiB, and whether the
 * order matters. `node` is the program of the version of Node that runs the tests.
 */
export async function measureSuites({ cases, rounds, work, node, startReal, url: givenUrl, caFile: givenCa }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'webhook-cli-suites-'));
  const caFile = givenCa ?? path.join(folder, 'ca.crt');
  const server = givenUrl === undefined ? await startServer([path.join(import.meta.dirname, 'webhook.js'), caFile, work]) : undefined;
  const url = givenUrl ?? server.url;
  const real = await startReal?.();
  try {
    if (real !== undefined) await prepareNamespace(real.client, 'shop', { url, caFile });
    const [all, quarter] = [writePods(folder, 'all', cases), writePods(folder, 'quarter', Math.floor(cases / 4))];
    const webhook = ['--url', url, '--phase', 'validating', '--ca-file', caFile];
    const run = argv => measuredRun({ node, argv: [program, ...argv] });
    const bodies = (await run(['request', '-f', all, '--phase', 'validating'])).stdout.trimEnd().split('\n');
    const pods = readdirSync(all).map(name => JSON.parse(readFileSync(path.join(all, name), 'utf8')));
    for (const manifests of [all, quarter]) await run(['test', manifests, ...webhook, '--update']);
    const tested = async more => (cases * 1000) / (await run(['test', all, ...webhook, '--check', ...more])).wallMs;
    const realCpu = [];
    const rates = { undici: [], real: [], kept: [], jobs: [], fresh: [] };
    for (let round = 0; round < rounds; round++) {
      rates.undici.push(await postAll(url, readFileSync(caFile), bodies));
      if (real !== undefined) {
        const before = real.usage();
        rates.real.push(await createAll(real.client, pods));
        if (before !== undefined) realCpu.push((real.usage().cpuMs - before.cpuMs) / cases);
      }
      rates.kept.push(await tested(['--jobs', '1']));
      rates.jobs.push(await tested(['--jobs', `${jobs}`]));
      rates.fresh.push(await tested(['--fresh-connections', '--jobs', '1']));
    }
    const small = await run(['test', quarter, ...webhook, '--check', '--jobs', '1']);
    const ordered = await run(['test', all, ...webhook, '--check', '--jobs', '1']);
    const shuffled = await run(['test', all, ...webhook, '--check', '--seed', '7']);
    const threaded = await run(['test', all, ...webhook, '--check', '--jobs', `${jobs}`]);
    return {
      cases,
      rates: Object.fromEntries(Object.entries(rates).map(([name, numbers]) => [name, median(numbers)])),
      memory: [small.peakMiB, ordered.peakMiB],
      cpuMs: ordered.cpuMs / cases,
      // Milliseconds of CPU for each create.
      realCpuMs: realCpu.length === 0 ? undefined : median(realCpu),
      isSame: [shuffled, threaded].every(({ stdout }) => results(stdout) === results(ordered.stdout)),
    };
  } finally {
    await real?.stop();
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Posts a second, as many at a time as `test` has cases running. */
async function postAll(url, ca, bodies) {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: concurrency, connect: { ca } });
  const left = bodies[Symbol.iterator]();
  const begin = performance.now();
  const work = async () => {
    for (const body of left) {
      const options = { path: `${pathname}?timeout=10s`, method: 'POST', headers: { 'content-type': 'application/json' }, body };
      const answer = JSON.parse(await (await pool.request(options)).body.text());
      if (answer.response.allowed !== true) throw new Error('refused');
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const seconds = (performance.now() - begin) / 1000;
  await pool.close();
  return bodies.length / seconds;
}

/** Dry-run creates a second, with the same number at a time. */
async function createAll(client, pods) {
  const left = pods[Symbol.iterator]();
  const begin = performance.now();
  const work = async () => {
    for (const pod of left)
      await client.request('POST', '/api/v1/namespaces/shop/pods?dryRun=All', { body: JSON.stringify(pod), expected: [201] });
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return (pods.length * 1000) / (performance.now() - begin);
}

/** Names and outcomes without times. */
function results(text) {
  return text
    .split('\n')
    .filter(line => /^ {2}\S /.test(line))
    .map(line => line.split(/ {2}/)[1])
    .join('\n');
}

function report({ work, rounds }, { cases, rates, memory, cpuMs, isSame }) {
  const ratio = rate => (rate / rates.undici).toFixed(2);
  const real = rates.real === undefined ? 'not measured: ORACLE_APISERVER is not set' : `${rates.real.toFixed(0)}/s`;
  const realRatio = rates.real === undefined ? '' : `, ${(rates.kept / rates.real).toFixed(2)} times the API server`;
  console.log(
    `${cases} cases, ${concurrency} at a time, a webhook that takes ${work} ms; medians of ${rounds} rounds; load ${os.loadavg()[0].toFixed(1)}`,
  );
  console.log(`  bare undici loop     ${rates.undici.toFixed(0)}/s`);
  console.log(`  real API server      ${real}`);
  console.log(
    `  test                 ${rates.kept.toFixed(0)}/s, ratio ${ratio(rates.kept)}${realRatio}; ${cpuMs.toFixed(2)} ms of CPU a case`,
  );
  console.log(`  test, ${jobs} jobs         ${rates.jobs.toFixed(0)}/s, ${(rates.jobs / rates.kept).toFixed(2)} times one job`);
  console.log(`  test, fresh          ${rates.fresh.toFixed(0)}/s, ratio ${ratio(rates.fresh)}`);
  console.log(`  peak memory          ${memory[0].toFixed(0)} MiB with a quarter of the cases, ${memory[1].toFixed(0)} MiB with all`);
  console.log(`  order and jobs       ${isSame ? 'the same results' : 'OTHER results'}`);
}
