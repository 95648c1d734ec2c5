/** A position in a file, lines and columns counted from 1. */
export interface Place {
  /** As given by the user, or relative to the working directory. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}
