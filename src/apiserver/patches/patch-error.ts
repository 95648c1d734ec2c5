/** A patch cannot be applied; the message is the API server's own. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}

/** The text is no patch of its kind; the message is Go's own. */
export class PatchDecodeError extends Error {
  override readonly name = 'PatchDecodeError';
}
