import type { FailureClass } from '../kubernetes/webhook-call.js';

/** Failure of a request, with Go's message. */
export class TransportError extends Error {
  override readonly name = 'TransportError';

  constructor(
    readonly failureClass: FailureClass,
    message: string,
    /** The message without the `Post "URL": ` of Go's client; undefined without this prefix. */
    readonly reason?: string,
    /** Error of the tunnel to a webhook, which is not a failure of the webhook. */
    readonly ofTunnel?: Error,
  ) {
    super(message);
  }
}

/** Returns the error after the deadline, in any stage. Source: Go context.DeadlineExceeded. */
export function deadlineExceeded(): TransportError {
  return new TransportError('time', 'context deadline exceeded');
}

/** Returns the error for an end between two messages. Source: Go io.EOF. */
export function endOfStream(): TransportError {
  return new TransportError('tcp', 'EOF');
}

/** Returns whether an error is a regular end. */
export function isEndOfStream(error: TransportError): boolean {
  return error.message === 'EOF';
}

/** Returns the error for an end inside a message. Source: Go io.ErrUnexpectedEOF. */
export function unexpectedEndOfStream(): TransportError {
  return new TransportError('http', 'unexpected EOF');
}

/** Returns a caught TransportError; rethrows anything else, and the error of a tunnel. */
export function asTransportError(thrown: unknown): TransportError {
  if (thrown instanceof TransportError && thrown.ofTunnel === undefined) return thrown;
  if (thrown instanceof TransportError) throw thrown.ofTunnel;
  throw thrown;
}
