/** Mutation that cannot be evaluated or applied, with the API server's message; the failure policy decides the outcome. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
}
