import type { FailureClass } from '../../kubernetes/webhook-call.js';

/** An object cannot be converted; the message is the API server's. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';

  constructor(
    message: string,
    /** How the call of the webhook failed, or which part of its answer is wrong; undefined: the refusal is the webhook's or the definition's own. */
    readonly failureClass?: FailureClass,
  ) {
    super(message);
  }
}
