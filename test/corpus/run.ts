import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FunctionCoverage } from '../support/coverage/function-coverage.js';
import { KeptCoverage } from '../support/coverage/kept-coverage.js';
import { compareWithCoverage } from './case-coverage.js';
import { describeCovering } from './covering.js';
import { type Figure, figureOf, type RecordedFigure, recordedFigure } from './figures.js';
import { type CorpusFile, casesOf, folders, projectRoot, readFolder } from './files.js';

/**
 * `npm run corpus [FOLDER[/FILE]...] [--show N] [--only REGEX] [--record] [--coverage]` compares the project with the recorded cases.
 * Prints the number of equal cases per file and folder, and with --show the first N differences of each file. --record, for a run of
 * all files, writes which cases differ to fixtures/corpus/figures.json; the tests fail when any other case differs. --coverage keeps which
 * source files each case runs, and `npm run corpus -- --covering FILE` names the cases and the tests that run a function of a file.
 */
const kept = new KeptCoverage(path.join(projectRoot, 'coverage'));

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      show: { type: 'string', default: '0' },
      only: { type: 'string' },
      record: { type: 'boolean', default: false },
      coverage: { type: 'boolean', default: false },
      covering: { type: 'string' },
    },
  });
  if (values.only !== undefined && values.coverage) throw new Error('--coverage runs all cases of a file: leave out --only');
  if (values.covering !== undefined) console.log(describeCovering(projectRoot, kept, values.covering));
  else await compareFiles(positionals, values);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}

interface Choices {
  readonly show: string;
  readonly only?: string | undefined;
  readonly record: boolean;
  readonly coverage: boolean;
}

async function compareFiles(wanted: readonly string[], { show, only, record, coverage }: Choices): Promise<void> {
  const table: Record<string, RecordedFigure> = {};
  const compare = await comparisonWith(only, coverage);
  for (const folder of folders) {
    const files = readFolder(folder).filter(file => isWanted(wanted, `${folder}/${file.name}`) && casesOf(file).length > 0);
    if (files.length === 0) continue;
    const figures: Figure[] = [];
    for (const file of files) {
      const figure = await compare(file);
      figures.push(figure);
      if (figure.total === 0) continue;
      table[`${folder}/${file.name}`] = recordedFigure(figure);
      console.log(`${folder}/${file.name} ${figure.equal}/${figure.total}`);
      for (const { name, difference } of figure.differences.slice(0, Number(show)))
        console.log(`  ${name}\n    ${difference.replaceAll('\n', '\n    ')}`);
    }
    const equal = figures.reduce((sum, f) => sum + f.equal, 0);
    const total = figures.reduce((sum, f) => sum + f.total, 0);
    console.log(`${folder} ${equal}/${total}`);
  }
  if (!record || wanted.length > 0 || only !== undefined) return;
  const lines = Object.entries(table).map(([name, figure]) => `  ${JSON.stringify(name)}: ${JSON.stringify(figure)}`);
  writeFileSync(path.join(projectRoot, 'fixtures/corpus/figures.json'), `{\n${lines.join(',\n')}\n}\n`);
}

async function comparisonWith(only: string | undefined, isKept: boolean): Promise<(file: CorpusFile) => Promise<Figure>> {
  const names = only === undefined ? undefined : new RegExp(only);
  if (!isKept) return file => figureOf(file, names);
  const coverage = new FunctionCoverage();
  await coverage.start();
  return file => compareWithCoverage(file, coverage, kept);
}

/** Whether a file is of one of the wanted folders, or has a wanted name, in which `*` stands for any text. Everything is wanted when nothing is named. */
function isWanted(wanted: readonly string[], name: string): boolean {
  return wanted.length === 0 || wanted.some(pattern => name.startsWith(`${pattern}/`) || matchesGlob(pattern, name));
}

function matchesGlob(pattern: string, text: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`).test(text);
}
