import path from 'node:path';
import type { CoverageProvider, CoverageProviderModule } from 'vitest/node';
import { FunctionCoverage, type ModuleFunctions } from './function-coverage.js';
import { KeptCoverage } from './kept-coverage.js';
import { CoveredLines, type LineCount } from './lines-of-rooms.js';

/** In a worker: of all test files that it runs. */
const inWorker = new FunctionCoverage();

/**
 * `npm test -- --coverage`: keeps which source files each test file runs, for `npm run corpus -- --covering`, and counts the covered lines of each
 * room. What programs and threads run that a test starts does not count.
 */
const provider: CoverageProviderModule = {
  startCoverage: () => inWorker.start(),
  takeCoverage: () => inWorker.take(),
  getProvider: () => new Provider(),
};
export default provider;

/** Lines by room, which the reporter prints. */
export type RoomLines = ReadonlyMap<string, LineCount>;

class Provider implements CoverageProvider {
  readonly name = 'counts of V8';
  private readonly covered = new CoveredLines();
  private options: ReturnType<CoverageProvider['resolveOptions']> | undefined;
  private kept: KeptCoverage | undefined;

  initialize({ config }: Parameters<CoverageProvider['initialize']>[0]): void {
    this.options = config.coverage as ReturnType<CoverageProvider['resolveOptions']>;
    this.kept = new KeptCoverage(path.join(config.root, 'coverage'));
  }

  resolveOptions(): ReturnType<CoverageProvider['resolveOptions']> {
    if (this.options === undefined) throw new Error('not initialized');
    return this.options;
  }

  /** A run replaces what it runs, and leaves the rest. */
  clean(): void {}

  onAfterSuiteRun({ coverage, testFiles }: Parameters<CoverageProvider['onAfterSuiteRun']>[0]): void {
    const modules = coverage as readonly ModuleFunctions[];
    this.covered.add(modules);
    const sources = Object.fromEntries(modules.filter(({ ran }) => ran.length > 0).map(({ source }) => [source, '1']));
    for (const name of testFiles) this.kept?.write('tests', { name, cases: [], sources });
  }

  async generateCoverage(): Promise<RoomLines> {
    // Loads a library that the tests in workers do not need.
    const { roomOf } = await import('../../architecture/cruise.js');
    return this.covered.countByRoom(roomOf);
  }

  /** The reporter prints it, before the last line. */
  reportCoverage(): void {}
}
