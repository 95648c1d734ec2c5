// Adds a minor, or takes in a newer release of one, in one command: the steps of docs/decisions/versions-are-data-and-marked-rules.md that need no decision.
//
//   node scripts/add-minor.js VERSION --from MODULES [--before VERSION] [--servers URL,ALL-URL] [--count N] [--corpus DIR --oracle DIR] [--cases FOLDER,...]
//
// VERSION is a release, v1.38.0, whose minor src/kubernetes/kubernetes-version.ts names. MODULES is the folder k8s.io of a Go module cache that holds its
// modules (docs/decisions/versions-are-data-and-marked-rules.md lists them) and those of the release before it, by default the one of the minor before. With --servers, the servers of
// scripts/server-tables.js, and TOKEN, the tables of the server are recorded as well, and N random calls of each dimension (default 100) are compared with it.
//
// With --corpus and --oracle, recorded calls are replayed on both releases (scripts/replay-corpus.js).
//
// It writes src/kubernetes/tables and src/local-apiserver/recorded/data, and prints what changed in the tables and in the source by area, and the differences of the calls
// and of the corpus by group: each is a gate, a row or a rule to write.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sortedMinors } from './minors.js';
import { sourceChanges } from './new-minor/source-changes.js';
import { tableChanges } from './new-minor/table-changes.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: 'string' },
    before: { type: 'string' },
    servers: { type: 'string' },
    count: { type: 'string', default: '100' },
    corpus: { type: 'string' },
    oracle: { type: 'string' },
    cases: { type: 'string', default: 'requests,custom-resources' },
  },
});
const [version] = positionals;
const modules = values.from;
if (version === undefined || modules === undefined)
  throw new Error(
    'usage: node scripts/add-minor.js VERSION --from MODULES [--before VERSION] [--servers URL,ALL-URL] [--count N] [--corpus DIR --oracle DIR] [--cases FOLDER,...]',
  );
if ((values.corpus === undefined) !== (values.oracle === undefined)) throw new Error('--corpus and --oracle belong together');
const root = path.join(import.meta.dirname, '..');
const minor = /^v\d+\.\d+/.exec(version)[0];
const known = sortedMinors(readdirSync(path.join(root, 'src/kubernetes/tables')));
const minorBefore = known.filter(each => each !== minor).findLast(each => sortedMinors([each, minor])[0] === each);
const before = values.before ?? newestRelease(minorBefore);

/** Dimensions whose servers have other flags: no authorization, or plugins that are off by default. */
const ofOtherServers = ['selection', 'plugins'];

const folder = mkdtempSync(path.join(tmpdir(), 'add-minor-'));
try {
  makeTables();
  print(`# Tables, ${minorBefore} to ${minor}`, tableChanges(folder, minorBefore, minor));
  print(`# Source, ${before} to ${version}`, sourceChanges(modules, before, version));
  if (values.corpus !== undefined) replayCorpus();
  if (values.servers !== undefined) compareCalls(values.servers.split(',')[0]);
} finally {
  rmSync(folder, { recursive: true });
}

function makeTables() {
  runScript('unpack-minors', folder);
  runScript('type-tables', folder, version, modules);
  runScript('validation-tables', folder, version, modules);
  if (values.servers !== undefined) runScript('server-tables', folder, ...values.servers.split(','));
  else if (!known.includes(minor)) throw new Error(`${minor} has no tables of a server yet: record them with --servers`);
  runScript('tables', folder);
  runScript('server-data', folder);
}

/** The newest release of a minor in the module cache. */
function newestRelease(ofMinor) {
  const releases = readdirSync(modules).flatMap(name =>
    name.startsWith(`kubernetes@${ofMinor}.`) ? [name.slice('kubernetes@'.length)] : [],
  );
  const newest = releases.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  if (newest === undefined) throw new Error(`${modules} has no release of ${ofMinor}: name it with --before, or download it`);
  return newest;
}

function replayCorpus() {
  print(`# Recorded calls, ${before} to ${version}`, []);
  const folders = ['--corpus', values.corpus, '--oracle', values.oracle, '--cases', values.cases];
  runScript('replay-corpus', version, before, ...folders);
}

/** Prints the differences of each dimension, grouped by their cause. The program is built first, so that it answers as the minor. */
function compareCalls(url) {
  print('# Random calls', []);
  runScript('build');
  const file = path.join(root, 'dist/test/differential/calls/run.js');
  const source = readFileSync(path.join(root, 'test/differential/calls/run.ts'), 'utf8');
  const dimensions = [...source.matchAll(/^ {2}'?([a-z-]+)'?: \{ scene/gm)]
    .map(([, name]) => name)
    .filter(name => !ofOtherServers.includes(name));
  const env = { ...process.env, KUBE_APISERVER: url, KUBE_TOKEN: process.env.TOKEN, KUBE_MINOR: minor };
  for (const name of dimensions) spawnSync(process.execPath, [file, name, values.count], { stdio: 'inherit', env });
}

function runScript(name, ...options) {
  execFileSync(process.execPath, [path.join(import.meta.dirname, `${name}.js`), ...options], { stdio: 'inherit' });
}

function print(title, lines) {
  process.stdout.write(`${title}\n\n${lines.map(line => `${line}\n`).join('')}\n`);
}
