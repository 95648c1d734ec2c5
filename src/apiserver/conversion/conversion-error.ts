import type { FailureClass } from '../../kubernetes/webhook-call.js';

/** Conversion failure; the message is the API server's. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';

  constructor(
    message: string,
    /**
     * How the webhook call failed, or which part of the response is invalid; undefined when the webhook or the definition itself refused.
     */
    readonly failureClass?: FailureClass,
  ) {
    super(message);
  }
}
