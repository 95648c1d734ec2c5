/** Path without a handler: the answer is the plain text of Go's HTTP server. */
export class PageNotFound extends Error {
  override readonly name = 'PageNotFound';
}
