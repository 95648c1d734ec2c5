import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/** Where a function starts and ends in the text of its compiled module. */
export type FunctionRange = readonly [start: number, end: number];

/** Functions of a module of the program. */
export interface ModuleFunctions {
  /** The TypeScript file, from the root of the project. */
  readonly source: string;
  /** The compiled module that ran. */
  readonly module: string;
  readonly ran: readonly FunctionRange[];
  /** Functions that have not run, but for those inside of others that have not; only what was not reported before. */
  readonly idle: readonly FunctionRange[];
}

/**
 * Which functions of the program run in this thread, by V8's counts of calls. Started before the modules are loaded; V8 optimizes nothing while it
 * counts. The text of a module outside of its functions, which runs when the module is loaded, counts as no function.
 */
export class FunctionCoverage {
  private readonly session = new Session();
  private isStarted = false;
  private readonly reported = new Set<string>();

  async start(): Promise<void> {
    if (this.isStarted) return;
    this.isStarted = true;
    this.session.connect();
    await this.session.post('Profiler.enable');
    await this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** Returns what ran since the last time, and starts again at zero. */
  async take(): Promise<ModuleFunctions[]> {
    const { result } = await this.session.post('Profiler.takePreciseCoverage');
    return result.flatMap(({ url, functions }) => {
      const source = sourceOf(url);
      if (source === undefined) return [];
      const ran: FunctionRange[] = [];
      const idle: FunctionRange[] = [];
      for (const { functionName, ranges } of functions) {
        const { startOffset, endOffset, count } = ranges[0] ?? { startOffset: 0, endOffset: 0, count: 0 };
        if (functionName === '' && startOffset === 0) continue;
        if (count > 0) ran.push([startOffset, endOffset]);
        else if (!this.reported.has(`${url} ${startOffset}`)) {
          this.reported.add(`${url} ${startOffset}`);
          idle.push([startOffset, endOffset]);
        }
      }
      return [{ source, module: fileURLToPath(url), ran, idle }];
    });
  }
}

/** The TypeScript file that a module was compiled from, by the build or for the tests. */
function sourceOf(url: string): string | undefined {
  const [, name] = /^file:.*\/dist\/(?:tests\/[^/]+\/)?((?:src|commands)\/[^?]*)\.js$/.exec(url) ?? [];
  return name === undefined ? undefined : `${decodeURIComponent(name)}.ts`;
}
