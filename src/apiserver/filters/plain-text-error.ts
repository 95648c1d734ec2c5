/** The call is answered with plain text, as Go's HTTP server does for handlers that fail outside the API machinery. */
export class PlainTextError extends Error {
  override readonly name = 'PlainTextError';

  constructor(
    readonly code: number,
    readonly body: string,
  ) {
    super(body);
  }
}
