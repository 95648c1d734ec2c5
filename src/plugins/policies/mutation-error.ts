/** A mutation cannot be evaluated or applied, in the API server's words; the failure policy decides what that means. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
}
