/** A place in a file, lines and columns counted from 1. */
export interface Place {
  /** As the user named it, or relative to the working folder. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}
