/** A panic in Go, with its message. During evaluation it becomes an error, during compilation it ends the request. */
export class GoPanic extends Error {
  override readonly name = 'GoPanic';
}
