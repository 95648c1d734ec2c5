#!/usr/bin/env node
// Compares the program with plain Node, kubectl and a real API server, running every command once per round, so that noise affects all of them equally:
// node bench/run.js [--rounds 20] [--only TEXT] [--nodes 24,26] [--write]. Compare the ratios of one run. Exits with 1 if a ratio is more than a
// quarter worse than in figures.json; --write updates that file and FIGURES.md. With --nodes, every row is measured with each of these versions of
// Node, in turn (nodes.js says where they are). An executable in dist/executable is measured, too. Rows with a real API server need ORACLE_APISERVER
// (api-servers.js) and KUBECTL, a path, unless kubectl is in PATH.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { nodesOf, versionOf } from './nodes.js';
import { measuredRun, mediansOf, startServer } from './processes.js';
import { commandRows, otherRows } from './rows.js';
import { printedColumns, printedTable } from './table.js';

const here = import.meta.dirname;
const root = path.dirname(here);
const committed = path.join(here, 'figures.json');
/** A run fails if a ratio is worse by more than this factor. */
const tolerance = 1.25;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    only: { type: 'string' },
    nodes: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
// With this variable, Node parses the certificates of a file at every start, in a thread: that would measure the settings of this machine.
delete process.env.NODE_EXTRA_CA_CERTS;
const nodes = nodesOf(values.nodes);
const loadAtStart = os.loadavg()[0];
const folder = mkdtempSync(path.join(os.tmpdir(), 'webhook-cli-bench-'));
const caFile = path.join(folder, 'ca.crt');
const webhook = await startServer([path.join(here, 'webhook.js'), caFile]);
try {
  const commands = await measure(commandRows({ url: webhook.url, caFile, folder }));
  const besides = { url: webhook.url, caFile, rounds: Number(values.rounds) };
  const runs = [];
  for (const [i, one] of nodes.entries()) runs.push({ ...one, rows: [...commands[i], ...(await otherRows(wanted, one.node, besides))] });
  report(runs);
} finally {
  webhook.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Baselines are always measured. */
function wanted({ name, isBaseline }) {
  return isBaseline === true || values.only === undefined || name.includes(values.only);
}

/** Runs every command once per round with every Node, each time in another order, and returns the rows of each Node with their results. */
async function measure(rows) {
  const chosen = rows.filter(wanted).flatMap(row => nodes.map(({ node }) => ({ ...row, node })));
  const runs = new Map(chosen.map(row => [row, []]));
  const once = row => measuredRun({ ...row, cwd: root, env: { XDG_CACHE_HOME: path.join(folder, 'cache'), ...row.env } });
  for (const row of chosen) if (row.isCold !== true) await once(row);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const i of chosen.keys()) {
      const row = chosen[(i + round) % chosen.length];
      if (round < (row.rounds ?? Number.POSITIVE_INFINITY)) runs.get(row).push(await once(row));
    }
  }
  return nodes.map(({ node }) => {
    const ofNode = chosen.filter(row => row.node === node);
    const measured = new Map(ofNode.map(row => [row.name, { ...row, ...mediansOf(runs.get(row)) }]));
    return [...measured.values()].map(row => ({ ...row, ratio: ratioOf(row, measured.get(row.baseline)) }));
  });
}

/** Returns the ratio of CPU times, or of wall times if the goal is one. */
function ratioOf({ cpu, wall, byWall }, baseline) {
  if (baseline === undefined) return undefined;
  return byWall ? wall / baseline.wall : cpu / baseline.cpu;
}

function report(runs) {
  const known = existsSync(committed) ? JSON.parse(readFileSync(committed, 'utf8')) : {};
  const [first] = runs;
  const table = runs.length === 1 ? printedTable(first.rows, known[first.name] ?? {}) : printedColumns(runs);
  const text = `${circumstances()}\n\n${table}`;
  process.stdout.write(`${text}\n`);
  const worse = runs.flatMap(({ name, rows }) =>
    rows.filter(row => isWorse(row, known[name]?.[row.name])).map(row => ({ ...row, of: name })),
  );
  for (const { of, name, ratio } of worse)
    process.stdout.write(`WORSE: ${of}: ${name}: ${ratio.toFixed(2)} instead of ${known[of][name].toFixed(2)}\n`);
  if (values.write) write(text, runs, known);
  else if (worse.length > 0) process.exitCode = 1;
}

/** What figures depend on: machine, day, versions, load. */
function circumstances() {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const memory = `${Math.round(os.totalmem() / 2 ** 30)} GiB`;
  return [
    `Machine: ${os.cpus().length} cores (${os.cpus()[0].model}), ${memory}, ${process.platform} ${process.arch}.`,
    `Date: ${new Date().toISOString().slice(0, 10)}.`,
    `Versions: webhook-cli ${version}, Node ${nodes.map(({ node }) => versionOf(node)).join(', ')}; those of kube-apiserver and kubectl are in the table.`,
    `Load: ${loadAtStart.toFixed(1)} at the start, ${os.loadavg()[0].toFixed(1)} at the end. Medians of ${values.rounds} rounds.`,
    'The programs run without NODE_EXTRA_CA_CERTS.',
  ].join('\n');
}

function isWorse({ ratio, isRate }, before) {
  if (before === undefined || ratio === undefined) return false;
  return isRate ? ratio * tolerance < before : ratio > before * tolerance;
}

/** Of a run of all rows, only these figures are kept; selected rows are added to what is known. */
function write(text, runs, known) {
  const isWhole = values.only === undefined;
  const flags = ['--write', ...(values.nodes === undefined ? [] : [`--nodes ${values.nodes}`])].join(' ');
  if (isWhole) writeFileSync(path.join(here, 'FIGURES.md'), `# Results of the last run of \`npm run bench -- ${flags}\`\n\n${text}\n`);
  const ratiosOf = ({ name, rows }) => {
    const ratios = rows.filter(({ ratio }) => Number.isFinite(ratio)).map(row => [row.name, Number(row.ratio.toFixed(3))]);
    return [name, { ...(isWhole ? {} : known[name]), ...Object.fromEntries(ratios) }];
  };
  const figures = { ...(isWhole ? {} : known), ...Object.fromEntries(runs.map(ratiosOf)) };
  writeFileSync(committed, `${JSON.stringify(figures, undefined, 2)}\n`);
}
