import type { Palette } from '../palette.js';

/** What reporters know besides the run. */
export interface ReporterOptions {
  /** For `default` alone: the others print no colours. */
  readonly palette: Palette;
  /** The version of this tool, `0.1.0`. */
  readonly toolVersion: string;
  /** A file of the run as the repository calls it: GitHub and code scanning count from its root. */
  readonly fileInRepository: (file: string) => string;
}
