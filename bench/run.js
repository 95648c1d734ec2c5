#!/usr/bin/env node
// Compares the program with plain Node and a real API server, running every command once per round, so that noise affects all of them equally:
// node bench/run.js [--rounds 20] [--only TEXT] [--write]. Compare the ratios of one run. Exits with 1 if a ratio is more than a quarter worse than
// in figures.json; --write updates that file and the table in FIGURES.md. ORACLE_APISERVER is the path of a real API server's binary.
// An executable in dist/executable is measured, too.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measuredRun, median, startServer } from './processes.js';
import { commandRows, otherRows } from './rows.js';
import { printedTable } from './table.js';

const here = import.meta.dirname;
const root = path.dirname(here);
const committed = path.join(here, 'figures.json');
/** A run fails if a ratio is worse by more than this factor. */
const tolerance = 1.25;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, only: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const loadAtStart = os.loadavg()[0];
const folder = mkdtempSync(path.join(os.tmpdir(), 'webhook-cli-bench-'));
const caFile = path.join(folder, 'ca.crt');
const webhook = await startServer([path.join(here, 'webhook.js'), caFile]);
try {
  await report([...(await measure(commandRows({ url: webhook.url, caFile, folder, root }))), ...(await otherRows(wanted))]);
} finally {
  webhook.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Baselines are always measured. */
function wanted({ name, isBaseline }) {
  return isBaseline === true || values.only === undefined || name.includes(values.only);
}

/** Runs every command once per round, each time in another order, and returns the rows with their results. */
async function measure(rows) {
  const chosen = rows.filter(wanted);
  const runs = new Map(chosen.map(row => [row, []]));
  const once = row => measuredRun({ ...row, cwd: root, env: { XDG_CACHE_HOME: path.join(folder, 'cache'), ...row.env } });
  for (const row of chosen) if (row.isCold !== true) await once(row);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const i of chosen.keys()) {
      const row = chosen[(i + round) % chosen.length];
      if (round < (row.rounds ?? Number.POSITIVE_INFINITY)) runs.get(row).push(await once(row));
    }
  }
  const measured = new Map(chosen.map(row => [row.name, { ...row, ...mediansOf(runs.get(row)) }]));
  return [...measured.values()].map(row => ({ ...row, ratio: ratioOf(row, measured.get(row.baseline)) }));
}

function mediansOf(runs) {
  return { cpu: median(runs.map(({ cpuMs }) => cpuMs)), wall: median(runs.map(({ wallMs }) => wallMs)) };
}

/** Returns the ratio of CPU times, or of wall times if the goal is one. */
function ratioOf({ cpu, wall, byWall }, baseline) {
  if (baseline === undefined) return undefined;
  return byWall ? wall / baseline.wall : cpu / baseline.cpu;
}

async function report(rows) {
  const known = JSON.parse(readFileSync(committed, 'utf8'));
  const worse = rows.filter(({ name, ratio, isRate }) => {
    const before = known[name];
    if (before === undefined || ratio === undefined) return false;
    return isRate ? ratio * tolerance < before : ratio > before * tolerance;
  });
  const machine =
    `${os.cpus().length} cores (${os.cpus()[0].model}), Node ${process.version}, ${process.platform} ${process.arch}; ` +
    `load ${loadAtStart.toFixed(1)} at the start and ${os.loadavg()[0].toFixed(1)} at the end; ${values.rounds} rounds; ` +
    // With this variable Node loads the file and its built-in certificates at startup.
    `NODE_EXTRA_CA_CERTS is ${process.env.NODE_EXTRA_CA_CERTS ? '' : 'not '}set.`;
  const text = `${machine}\n\n${printedTable(rows, known)}`;
  process.stdout.write(`${text}\n`);
  for (const { name, ratio } of worse) process.stdout.write(`WORSE: ${name}: ${ratio.toFixed(2)} instead of ${known[name].toFixed(2)}\n`);
  if (values.write) {
    if (values.only === undefined)
      writeFileSync(path.join(here, 'FIGURES.md'), `# Results of the last run of \`npm run bench -- --write\`\n\n${text}\n`);
    const ratios = rows.filter(({ ratio }) => ratio !== undefined).map(({ name, ratio }) => [name, Number(ratio.toFixed(3))]);
    writeFileSync(committed, `${JSON.stringify({ ...known, ...Object.fromEntries(ratios) }, undefined, 2)}\n`);
  } else if (worse.length > 0) process.exitCode = 1;
}
