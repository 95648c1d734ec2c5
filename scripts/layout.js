// Decides which part of the program a module belongs to.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Entry module for everything that calls can reach by static imports: the API server, and its kinds and plugins. */
const entriesOfCalls = ['src/apiserver/handle-call.ts', 'src/apis/kinds.ts', 'src/apis/scheme.ts', 'src/plugins/enabled.ts'];

/** What `test` loads besides with several threads. */
const entriesOfThreads = ['src/cli/commands/test/case-threads.ts', 'src/cli/commands/test/cases-job.ts', 'src/cli/thread-jobs.ts'];

/** Rooms of the API server for clients. */
const roomsOfServers = /^src\/(?:envtest|local-apiserver)\//;

/** Returns the files of our modules, from the root, in a fixed order. */
export function sourceFiles(root) {
  return ['src', 'commands'].flatMap(folder => {
    const files = readdirSync(path.join(root, folder), { recursive: true }).filter(name => name.endsWith('.ts'));
    return files.map(name => `${folder}/${name.replaceAll('\\', '/')}`).sort();
  });
}

/**
 * Returns the part and the number of every module by its file. The modules of reviews are `first`; those that were loaded
 * besides it, and those that other calls and threads of tests can load, are `second`; those of the API server for clients are `server`; all others are `third`, because a whole
 * part is read before any of it runs.
 */
export function layoutOf(root, { review, besides }) {
  const first = new Set(review);
  const second = new Set([...besides, ...importedFrom(root, [...entriesOfCalls, ...entriesOfThreads])]);
  const others = file => (roomsOfServers.test(file) ? 'server' : 'third');
  const partOf = file => (first.has(file) ? 'first' : second.has(file) ? 'second' : others(file));
  const counts = { first: 0, second: 0, server: 0, third: 0 };
  return new Map(
    sourceFiles(root).map(file => {
      const part = partOf(file);
      counts[part] += 1;
      return [file, { part, number: counts[part] - 1 }];
    }),
  );
}

/** Returns the files that static imports reach. */
function importedFrom(root, entries) {
  const reached = new Set();
  const pending = [...entries];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const [, imported] of text.matchAll(/^(?:import|export)\b(?! type)[^;]*? from '(\.[^']+)\.js';$/gms))
      pending.push(`${path.posix.join(path.posix.dirname(file), imported)}.ts`);
  }
  return reached;
}
