import type { FunctionCoverage } from '../support/coverage/function-coverage.js';
import type { KeptCoverage } from '../support/coverage/kept-coverage.js';
import { type AfterCases, type Figure, figureOf } from './figures.js';
import { type CorpusCase, type CorpusFile, casesOf } from './files.js';

/**
 * Compares all cases of a file, and keeps which source files each of them ran. Cases that run at the same time count for each other, and what is
 * computed once counts for the first case that needs it.
 */
export async function compareWithCoverage(file: CorpusFile, coverage: FunctionCoverage, kept: KeptCoverage): Promise<Figure> {
  const cases = casesOf(file);
  const ranBy = new Map<string, Set<CorpusCase>>();
  const afterCases: AfterCases = async ran => {
    for (const { source, ran: functions } of await coverage.take()) {
      if (functions.length === 0) continue;
      const known = ranBy.get(source) ?? new Set();
      ranBy.set(source, known);
      for (const one of ran) known.add(one);
    }
  };
  // What ran before is of no case.
  await coverage.take();
  const figure = await figureOf(file, undefined, afterCases);
  const sources = [...ranBy].map(([source, ran]) => [source, cases.map(one => (ran.has(one) ? '1' : '0')).join('')]);
  kept.write('cases', { name: `${file.folder}/${file.name}`, cases: cases.map(({ name }) => name), sources: Object.fromEntries(sources) });
  return figure;
}
