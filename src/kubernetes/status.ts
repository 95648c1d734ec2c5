/** metav1.Status: response to a failed call, or to a deletion. Members absent here are absent on the wire. */
export interface Status {
  readonly status: string;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly details?: StatusDetails | undefined;
  readonly code?: number | undefined;
  /** `metadata` as a webhook set it; `{}` otherwise. */
  readonly metadata?: StatusMetadata | undefined;
}

export interface StatusMetadata {
  readonly selfLink?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly continue?: string | undefined;
  readonly remainingItemCount?: bigint | undefined;
  readonly shardInfo?: { readonly selector: string } | undefined;
}

export interface StatusDetails {
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
  readonly uid?: string | undefined;
  readonly causes?: readonly StatusCause[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

export interface StatusCause {
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly field?: string | undefined;
}

/** Error that ends the call with a Status, like Go's APIStatus errors. */
export class StatusError extends Error {
  readonly status: Status;

  constructor(status: Status) {
    const { stackTraceLimit } = Error;
    // Nobody sees the stack of an answer, and collecting it takes longer than most checks.
    Error.stackTraceLimit = 0;
    super(status.message ?? '');
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'StatusError';
    this.status = status;
  }
}

/** Go error without a Status: the client gets a 500 with this message and no reason. */
export class PlainError extends Error {
  override readonly name = 'PlainError';
}

/** The API server's handler panicked: the connection is closed without a response. */
export class AbortedConnection extends Error {
  override readonly name = 'AbortedConnection';
}
