/** A position in a file; line and column start at 1. */
export interface SuitePlace {
  /** As the user named it, or relative to the working directory. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}
