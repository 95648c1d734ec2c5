import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Figure, figureOf, type RecordedFigure, recordedFigure } from './figures.js';
import { casesOf, folders, projectRoot, readFolder } from './files.js';

/**
 * `npm run corpus [FOLDER[/FILE]...] [--show N] [--only REGEX] [--record]` compares the project with the recorded cases.
 * Prints the number of equal cases per file and folder, and with --show the first N differences of each file. --record, for a run of
 * all files, writes which cases differ to fixtures/corpus/figures.json; the tests fail when any other case differs.
 */
const { values, wanted } = readArguments(process.argv.slice(2));
const show = Number(values.get('show') ?? 0);
const only = values.has('only') ? new RegExp(values.get('only') ?? '') : undefined;

const table: Record<string, RecordedFigure> = {};

for (const folder of folders) {
  const files = readFolder(folder).filter(file => isWanted(folder, file.name) && casesOf(file).length > 0);
  if (files.length === 0) continue;
  const figures: Figure[] = [];
  for (const file of files) {
    const figure = await figureOf(file, only);
    figures.push(figure);
    if (figure.total === 0) continue;
    table[`${folder}/${file.name}`] = recordedFigure(figure);
    console.log(`${folder}/${file.name} ${figure.equal}/${figure.total}`);
    for (const { name, difference } of figure.differences.slice(0, show))
      console.log(`  ${name}\n    ${difference.replaceAll('\n', '\n    ')}`);
  }
  const equal = figures.reduce((sum, f) => sum + f.equal, 0);
  const total = figures.reduce((sum, f) => sum + f.total, 0);
  console.log(`${folder} ${equal}/${total}`);
}

if (values.has('record') && wanted.length === 0 && only === undefined) {
  const lines = Object.entries(table).map(([name, figure]) => `  ${JSON.stringify(name)}: ${JSON.stringify(figure)}`);
  writeFileSync(path.join(projectRoot, 'fixtures/corpus/figures.json'), `{\n${lines.join(',\n')}\n}\n`);
}

function isWanted(folder: string, file: string): boolean {
  if (wanted.length === 0) return true;
  return wanted.some(w => w === folder || matchesGlob(w, `${folder}/${file}`));
}

function matchesGlob(pattern: string, text: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`).test(text);
}

function readArguments(argv: readonly string[]): { values: Map<string, string>; wanted: string[] } {
  const options = new Map<string, string>();
  const rest: string[] = [];
  for (let i = 0; i < argv.length; i += 1) {
    const argument = argv[i] ?? '';
    if (argument === '--show' || argument === '--only') {
      i += 1;
      options.set(argument.slice(2), argv[i] ?? '');
    } else if (argument === '--record') options.set('record', '');
    else rest.push(argument);
  }
  return { values: options, wanted: rest };
}
