/** A path nothing is served under: the answer is the plain text of Go's HTTP server. */
export class PageNotFound extends Error {
  override readonly name = 'PageNotFound';
}
