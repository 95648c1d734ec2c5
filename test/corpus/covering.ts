import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { KeptCoverage, KeptRun } from '../support/coverage/kept-coverage.js';

/** How to make what is missing. */
const commands = {
  cases: 'npm run build && npm run corpus -- --coverage',
  tests: 'npm test -- --coverage',
};

/**
 * Text that names the recorded cases and the test files which run a function of a source file, by what the last runs with --coverage kept. Throws an
 * error with one sentence when there is no such file, and when no run kept anything.
 */
export function describeCovering(root: string, kept: KeptCoverage, file: string): string {
  const source = path.relative(root, path.resolve(root, file)).replaceAll(path.sep, '/');
  if (!/^(?:src|commands)\/.*\.ts$/.test(source)) throw new Error(`${file}: name a TypeScript file below src or commands`);
  if (!existsSync(path.join(root, source))) throw new Error(`${file}: no such file`);
  const cases = kept.read('cases');
  const tests = kept.read('tests');
  if (cases.length + tests.length === 0)
    throw new Error(`no run has kept what it covers yet: run \`${commands.cases}\` and \`${commands.tests}\` first`);
  const changed = statSync(path.join(root, source)).mtimeMs;
  const outdated = [...cases, ...tests].filter(({ at }) => at < changed).length;
  return [
    ...describeCases(source, cases),
    ...describeTests(source, tests),
    ...(outdated > 0 ? [`${source} has changed after ${outdated} of the ${cases.length + tests.length} kept runs: run them again`] : []),
  ].join('\n');
}

function describeCases(source: string, kept: readonly KeptRun[]): string[] {
  if (kept.length === 0) return [`recorded cases: not known, run \`${commands.cases}\` first`];
  const found = kept.flatMap(({ name, cases, sources }) => {
    const digits = sources[source] ?? '';
    const names = cases.filter((_, i) => digits[i] === '1');
    return names.length === 0 ? [] : [{ name, total: cases.length, names }];
  });
  const count = found.reduce((sum, { names }) => sum + names.length, 0);
  return [
    `recorded cases: ${count} in ${found.length} files`,
    ...found.flatMap(({ name, total, names }) =>
      names.length === total ? [`  ${name}: all ${total}`] : [`  ${name}: ${names.length} of ${total}`, ...names.map(one => `    ${one}`)],
    ),
  ];
}

function describeTests(source: string, kept: readonly KeptRun[]): string[] {
  if (kept.length === 0) return [`test files: not known, run \`${commands.tests}\` first`];
  const found = kept.filter(({ sources }) => Object.hasOwn(sources, source));
  return [`test files: ${found.length}`, ...found.map(({ name }) => `  ${name}`)];
}
