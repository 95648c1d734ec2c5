/** The text is no YAML, or holds what JSON cannot; the message is Go's, with `yaml: ` where Go says it. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  /** Where the reader stood, counted from 0; undefined when what is wrong has no place. The line in the message is often another one. */
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, at?: { readonly line: number; readonly column: number }) {
    super(message);
    this.line = at?.line;
    this.column = at?.column;
  }
}
