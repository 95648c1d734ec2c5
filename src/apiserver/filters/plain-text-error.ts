import { quote } from '../../go/quote.js';

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

/** Returns an error without what looks like HTML; quotes stay. Source: apiserver endpoints/handlers/responsewriters/errors.go sanitizer. */
export function sanitized(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Returns the body of a response to a request that failed outside the API machinery. Source: responsewriters/errors.go InternalError. */
export function internalErrorText(url: string, message: string): string {
  return sanitized(`Internal Server Error: ${quote(url)}: ${message}\n`);
}
