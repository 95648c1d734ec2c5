import '../support/install.js';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CorpusCase, type CorpusFile, casesOf } from './files.js';

/** How many cases of a file are equal, and how the others differ. */
export interface Figure {
  readonly equal: number;
  readonly total: number;
  readonly differences: readonly { readonly name: string; readonly difference: string }[];
}

/** Says how what the project does differs from the recorded case; undefined when all of it is equal. */
export type Difference = (recorded: CorpusCase) => string | undefined | Promise<string | undefined>;

/** How the cases of a file are compared. */
interface Comparison {
  readonly difference: Difference;
  /** Cases that spend their time waiting: they run beside each other. */
  readonly isSlow?: (recorded: CorpusCase) => boolean;
}

/** What a topic's module exports. */
interface TopicModule {
  readonly differenceIn: (file: CorpusFile) => Difference | Promise<Difference>;
  readonly isSlow?: (recorded: CorpusCase) => boolean;
}

/** The comparison for a file: one module a function table, one a topic folder. Nothing there yet: no case is equal. */
async function comparisonFor(file: CorpusFile): Promise<Comparison> {
  const module = file.folder === 'functions' ? `./functions/${file.name}.js` : `./topics/${file.folder}.js`;
  const found = [module, module.replace(/\.js$/, '.ts')].some(m => existsSync(fileURLToPath(new URL(m, import.meta.url))));
  if (!found) return { difference: () => 'nothing compares this table yet' };
  if (file.folder === 'functions') return { difference: ((await import(module)) as { difference: Difference }).difference };
  const topic = (await import(module)) as TopicModule;
  const difference = await topic.differenceIn(file);
  return topic.isSlow === undefined ? { difference } : { difference, isSlow: topic.isSlow };
}

/** Slow cases that run at a time. */
const slowAtOnce = 32;

/** Runs the cases of a file (those whose name matches `only`): one after the other, then the slow ones together. */
export async function figureOf(file: CorpusFile, only?: RegExp): Promise<Figure> {
  const { difference, isSlow = () => false } = await comparisonFor(file).catch(notLoaded);
  const cases = casesOf(file).filter(c => only === undefined || only.test(c.name));
  const found = new Map<string, string | undefined>();
  const run = async (recorded: CorpusCase) => found.set(recorded.name, await outcomeOf(difference, recorded));
  for (const recorded of cases.filter(c => !isSlow(c))) await run(recorded);
  const waiting = cases.filter(isSlow).values();
  const worker = async () => {
    for (const recorded of waiting) await run(recorded);
  };
  await Promise.all(Array.from({ length: slowAtOnce }, worker));
  const differences = cases.flatMap(({ name }) => {
    const text = found.get(name);
    return text === undefined ? [] : [{ name, difference: text }];
  });
  return { equal: cases.length - differences.length, total: cases.length, differences };
}

/** A comparison that cannot be loaded finds nothing equal. */
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
