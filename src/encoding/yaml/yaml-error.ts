/** Not valid YAML, or YAML that JSON cannot hold; the message is Go's, with `yaml: ` as in Go. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  /** Line of the parser, counted from 0; undefined if the error has no position. The line in the message is often another one. */
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, at?: { readonly line: number; readonly column: number }) {
    super(message);
    this.line = at?.line;
    this.column = at?.column;
  }
}
