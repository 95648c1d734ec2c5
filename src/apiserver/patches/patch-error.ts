/** A patch cannot be applied; the message is the API server's own. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}
