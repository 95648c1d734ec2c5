import { execFileSync } from 'node:child_process';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';
import { expect, it } from 'vitest';
import { describeCovering } from '../../corpus/covering.js';
import { temporaryFolder } from '../temporary-folder.js';
import { coverageTable } from './coverage-table.js';
import type { ModuleFunctions } from './function-coverage.js';
import { KeptCoverage } from './kept-coverage.js';
import { CoveredLines } from './lines-of-rooms.js';

const shapes = `export function area(a, b) {
  return multiply(a, b);
}

function multiply(a, b) {
  return a * b;
}

export function volume(a, b, c) {
  const base = () =>
    area(a, b);
  return base() * c;
}
`;

/** A program that loads a module of \`src\`, calls some of its functions, and prints what each call ran. */
const program = `
import { FunctionCoverage } from './function-coverage.mjs';
const coverage = new FunctionCoverage();
await coverage.start();
const { area, volume } = await import('./dist/src/shapes.js');
const takes = [];
for (const call of [() => area(1, 2), () => 0, () => volume(1, 2, 3)]) {
  call();
  takes.push(await coverage.take());
}
console.log(JSON.stringify(takes));
`;

const texts = (functions: readonly (readonly [number, number])[]): (string | undefined)[] =>
  functions.map(([start, end]) => shapes.slice(start, end).split('\n')[0]);

it('tells by functions what ran since the last time, and counts the lines of them', () => {
  const code = transformSync(readFileSync(path.join(import.meta.dirname, 'function-coverage.ts'), 'utf8'), { loader: 'ts' }).code;
  const { folder, remove } = temporaryFolder({
    'package.json': '{"type": "module"}',
    'function-coverage.mjs': code,
    'program.mjs': program,
    'dist/src/shapes.js': shapes,
    'dist/src/unused.js': 'export const a = 1;\n\nexport const b = 2;\n',
  });
  const takes = JSON.parse(execFileSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' })) as ModuleFunctions[][];
  expect(takes.map(modules => modules.map(({ source, ran, idle }) => [source, texts(ran), texts(idle)]))).toEqual([
    [['src/shapes.ts', ['function area(a, b) {', 'function multiply(a, b) {'], ['function volume(a, b, c) {']]],
    [],
    [['src/shapes.ts', ['function area(a, b) {', 'function multiply(a, b) {', 'function volume(a, b, c) {', '() =>'], []]],
  ]);

  const first = new CoveredLines();
  first.add(takes[0] ?? []);
  const rooms = first.countByRoom(source => (source === 'src/shapes.ts' ? 'shapes' : 'others'));
  remove();
  expect([...rooms].sort()).toEqual([
    ['others', { lines: 2, ran: 0 }],
    ['shapes', { lines: 11, ran: 7 }],
  ]);
  expect(coverageTable(rooms).split('\n').slice(2)).toEqual([
    'others   0.0 % of      2',
    'shapes  63.6 % of     11',
    'all     53.8 % of     13',
    '',
  ]);
});

it('names the recorded cases and the test files that run a source file, and what to run when it does not know', () => {
  const { folder, remove } = temporaryFolder({ 'src/cel/lists.ts': '', 'src/cel/maps.ts': '' });
  const kept = new KeptCoverage(path.join(folder, 'coverage'));
  const describe = (file: string): string => describeCovering(folder, kept, file);
  expect(() => describe('src/cel/lists.ts')).toThrow(
    'no run has kept what it covers yet: run `npm run build && npm run corpus -- --coverage` and `npm test -- --coverage` first',
  );
  expect(() => describe('src/cel/none.ts')).toThrow('src/cel/none.ts: no such file');
  expect(() => describe('README.md')).toThrow('README.md: name a TypeScript file below src or commands');

  kept.write('cases', {
    name: 'expressions/lists',
    cases: ['sort', 'slice', 'sum'],
    sources: { 'src/cel/lists.ts': '101', 'src/cel/maps.ts': '111' },
  });
  kept.write('cases', { name: 'v1.35/expressions/maps', cases: ['keys'], sources: { 'src/cel/maps.ts': '1' } });
  expect(describe('src/cel/lists.ts')).toBe(
    'recorded cases: 2 in 1 files\n  expressions/lists: 2 of 3\n    sort\n    sum\ntest files: not known, run `npm test -- --coverage` first',
  );
  kept.write('tests', { name: 'test/cel/maps.test.ts', cases: [], sources: { 'src/cel/maps.ts': '1' } });
  expect(describe(path.join(folder, 'src/cel/maps.ts'))).toBe(
    'recorded cases: 4 in 2 files\n  expressions/lists: all 3\n  v1.35/expressions/maps: all 1\ntest files: 1\n  test/cel/maps.test.ts',
  );
  writeFileSync(path.join(folder, 'src/cel/maps.ts'), 'export {};');
  const later = new Date(Date.now() + 60_000);
  utimesSync(path.join(folder, 'src/cel/maps.ts'), later, later);
  const outdated = describe('src/cel/maps.ts').split('\n').at(-1);
  remove();
  expect(outdated).toBe('src/cel/maps.ts has changed after 3 of the 3 kept runs: run them again');
});
