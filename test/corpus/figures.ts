import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CorpusCase, type CorpusFile, casesOf } from './files.js';

/** Result of comparing the cases of one file. */
export interface Figure {
  readonly equal: number;
  readonly total: number;
  readonly differences: readonly { readonly name: string; readonly difference: string }[];
}

/** What `fixtures/corpus/figures.json` holds for one file. */
export interface RecordedFigure {
  readonly cases: number;
  /** Names of the cases that differed, in the file's order. */
  readonly differing: readonly string[];
}

/** Recorded form of a figure. */
export function recordedFigure({ total, differences }: Figure): RecordedFigure {
  return { cases: total, differing: differences.map(({ name }) => name) };
}

/** Describes how the project differs from a recorded case; undefined when it does not. */
export type Difference = (recorded: CorpusCase) => string | undefined | Promise<string | undefined>;

/** Comparison of the cases of one file. */
interface Comparison {
  readonly difference: Difference;
  /** Cases that mostly wait: they run concurrently. */
  readonly isSlow?: (recorded: CorpusCase) => boolean;
}

/** Exports of a topic's module. */
interface TopicModule {
  readonly differenceIn: (file: CorpusFile) => Difference | Promise<Difference>;
  readonly isSlow?: (recorded: CorpusCase) => boolean;
}

/** Loads the comparison for a file: one module per function table or topic folder. Without a module every case differs. */
async function comparisonFor(file: CorpusFile): Promise<Comparison> {
  const module = file.folder === 'functions' ? `./functions/${file.name}.js` : `./topics/${file.folder}.js`;
  const found = [module, module.replace(/\.js$/, '.ts')].some(m => existsSync(fileURLToPath(new URL(m, import.meta.url))));
  if (!found) return { difference: () => 'no comparison for this table' };
  if (file.folder === 'functions') return { difference: ((await import(module)) as { difference: Difference }).difference };
  const topic = (await import(module)) as TopicModule;
  const difference = await topic.differenceIn(file);
  return topic.isSlow === undefined ? { difference } : { difference, isSlow: topic.isSlow };
}

/** Number of slow cases that run concurrently. */
const slowConcurrency = 32;

/** Called after a case has run, or several at the same time, and before the next one starts. */
export type AfterCases = (ran: readonly CorpusCase[]) => Promise<void>;

/** Runs the cases of a file (those whose name matches `only`): sequentially, then the slow ones concurrently. */
export async function figureOf(file: CorpusFile, only?: RegExp, afterCases: AfterCases = async () => {}): Promise<Figure> {
  const { difference, isSlow = () => false } = await comparisonFor(file).catch(notLoaded);
  const cases = casesOf(file).filter(c => only === undefined || only.test(c.name));
  const found = new Map<string, string | undefined>();
  const run = async (recorded: CorpusCase) => found.set(recorded.name, await outcomeOf(difference, recorded));
  for (const recorded of cases.filter(c => !isSlow(c))) {
    await run(recorded);
    await afterCases([recorded]);
  }
  const waiting = cases.filter(isSlow).values();
  const worker = async () => {
    for (const recorded of waiting) await run(recorded);
  };
  await Promise.all(Array.from({ length: slowConcurrency }, worker));
  await afterCases(cases.filter(isSlow));
  const differences = cases.flatMap(({ name }) => {
    const text = found.get(name);
    return text === undefined ? [] : [{ name, difference: text }];
  });
  return { equal: cases.length - differences.length, total: cases.length, differences };
}

/** Comparison for a module that fails to load: every case differs. */
function notLoaded(error: unknown): Comparison {
  const message = error instanceof Error ? error.message : String(error);
  return { difference: () => `cannot be compared: ${message}` };
}

async function outcomeOf(difference: Difference, recorded: CorpusCase): Promise<string | undefined> {
  try {
    return await difference(recorded);
  } catch (error) {
    return `thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}
