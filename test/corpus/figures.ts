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

/** The comparison for a file: one module a function table, one a topic folder. Nothing there yet: no case is equal. */
async function differenceFor(file: CorpusFile): Promise<Difference> {
  const module = file.folder === 'functions' ? `./functions/${file.name}.js` : `./topics/${file.folder}.js`;
  const found = [module, module.replace(/\.js$/, '.ts')].some(m => existsSync(fileURLToPath(new URL(m, import.meta.url))));
  if (!found) return () => 'nothing compares this table yet';
  if (file.folder === 'functions') return ((await import(module)) as { difference: Difference }).difference;
  return ((await import(module)) as { differenceIn: (file: CorpusFile) => Difference | Promise<Difference> }).differenceIn(file);
}

/** Runs the cases of a file (those whose name matches `only`) one after the other. */
export async function figureOf(file: CorpusFile, only?: RegExp): Promise<Figure> {
  const difference = await differenceFor(file).catch(notLoaded);
  const cases = casesOf(file).filter(c => only === undefined || only.test(c.name));
  const differences: { name: string; difference: string }[] = [];
  for (const recorded of cases) {
    const found = await outcomeOf(difference, recorded);
    if (found !== undefined) differences.push({ name: recorded.name, difference: found });
  }
  return { equal: cases.length - differences.length, total: cases.length, differences };
}

/** A comparison that cannot be loaded finds nothing equal. */
function notLoaded(error: unknown): Difference {
  const message = error instanceof Error ? error.message : String(error);
  return () => `cannot be compared: ${message}`;
}

async function outcomeOf(difference: Difference, recorded: CorpusCase): Promise<string | undefined> {
  try {
    return await difference(recorded);
  } catch (error) {
    return `thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}
