/** Patch that cannot be applied; the message is the API server's. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}

/** Text that is not a patch of its kind; the message is Go's own. */
export class PatchDecodeError extends Error {
  override readonly name = 'PatchDecodeError';
}
