import type { FailureClass } from '../kubernetes/webhook-call.js';

/** Error of a request without an answer, with Go's message. */
export class TransportError extends Error {
  override readonly name = 'TransportError';

  constructor(
    readonly failureClass: FailureClass,
    message: string,
    /** The message without the `Post "URL": ` of Go's client; undefined when it has none. */
    readonly reason?: string,
  ) {
    super(message);
  }
}

/** The deadline passed, in whatever stage. Source: Go context.DeadlineExceeded. */
export function deadlineExceeded(): TransportError {
  return new TransportError('time', 'context deadline exceeded');
}

/** The peer ended between two messages. Source: Go io.EOF. */
export function endOfStream(): TransportError {
  return new TransportError('tcp', 'EOF');
}

/** Whether an error is nothing but the end. */
export function isEndOfStream(error: TransportError): boolean {
  return error.message === 'EOF';
}

/** The peer ended inside one. Source: Go io.ErrUnexpectedEOF. */
export function unexpectedEnd(): TransportError {
  return new TransportError('http', 'unexpected EOF');
}

/** What was thrown as one of ours; anything else is a bug and goes on. */
export function asTransportError(thrown: unknown): TransportError {
  if (thrown instanceof TransportError) return thrown;
  throw thrown;
}
