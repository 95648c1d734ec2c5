/** `--jobs` of commands that make calls. */
export interface JobsFlags {
  readonly jobs?: number | 'auto' | undefined;
}
