import type { Palette } from '../palette.js';

/** Options of reporters. */
export interface ReporterOptions {
  /** Used only by `default`: the others print no colors. */
  readonly palette: Palette;
  /** The version of this tool, `0.1.0`. */
  readonly toolVersion: string;
  /** Maps a file of the run to its path in the repository, which GitHub and code scanning require. */
  readonly fileInRepository: (file: string) => string;
}
