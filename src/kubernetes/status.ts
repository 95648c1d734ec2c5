/** metav1.Status: what the API server says when a call fails, and after a deletion. Members absent here are absent on the wire. */
export interface Status {
  readonly status: string;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly details?: StatusDetails | undefined;
  readonly code?: number | undefined;
  /** `metadata` as a webhook filled it (it is `{}` otherwise). */
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

/** An answer that ends the call with a Status: Go's APIStatus errors. */
export class StatusError extends Error {
  readonly status: Status;

  constructor(status: Status) {
    super(status.message ?? '');
    this.name = 'StatusError';
    this.status = status;
  }
}

/** A Go error that carries no Status: the client gets a 500 with these words and no reason. */
export class PlainError extends Error {
  override readonly name = 'PlainError';
}

/** The API server's handler panicked: the client's connection ends without an answer. */
export class AbortedConnection extends Error {
  override readonly name = 'AbortedConnection';
}
