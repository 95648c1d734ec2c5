import type { TestRun } from '../../suites/results.js';
import type { Palette } from '../palette.js';
import type { OtherView } from './html/page.js';

/** Options of all reporters. */
export interface ReporterOptions {
  /** Used by `default` only: the others print without colors. */
  readonly palette: Palette;
  /** The version of this tool, `0.1.0`. */
  readonly toolVersion: string;
  /** Where the report was written: `Node v22.1.0 on linux x64`. */
  readonly environment: string;
  /** JSON contains the steps of calls, where these were measured. */
  readonly withSteps?: boolean | undefined;
  /** Returns the time lines of the calls for the HTML report; undefined if no steps were measured. */
  readonly timeLines?: ((run: TestRun) => OtherView | undefined) | undefined;
  /** Returns the script of the HTML report. */
  readonly pageScript: () => string;
  /** Returns a file's path in the repository: GitHub and code scanning resolve paths from its root. */
  readonly fileInRepository: (file: string) => string;
}

/** Prints a whole run as text that ends with a newline. */
export type SuiteReporter = (run: TestRun, options: ReporterOptions) => string;
