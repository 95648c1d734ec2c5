/** A template cannot be parsed or executed; the message is Go's. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(
    message: string,
    /** Offset in the text, for errors of parsing. */
    readonly offset?: number,
  ) {
    super(message);
  }
}
