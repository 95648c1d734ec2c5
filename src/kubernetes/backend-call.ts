/** A request to pass on to another server. */
export interface BackendCall {
  readonly method: string;
  /** `https://host:port/path?query`, as Go prints it in errors. Only pods are called without TLS. */
  readonly url: string;
  /** Names and values as they are sent, one character for each byte. */
  readonly header: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | StreamedBody | undefined;
  /** Where it is connected to. */
  readonly address: { readonly host: string; readonly port: number };
  /** Name in SNI and in the certificate. */
  readonly serverName: string;
  /** PEM; undefined for the machine's roots. */
  readonly caBundle: Uint8Array | undefined;
  readonly insecureSkipVerify: boolean;
  /** Value of the header `Host`; by default the host of the URL. */
  readonly hostHeader?: string | undefined;
  /** Whether the server is not shown who calls it: aggregated API servers are. */
  readonly isAnonymous?: boolean;
  /** Milliseconds until the response has begun; no limit by default. */
  readonly deadlineMs?: number | undefined;
  /** Whether the connection goes on with another protocol after the response. */
  readonly isUpgrade?: boolean;
}

/** A body that is sent as it comes. */
export interface StreamedBody {
  /** Bytes, if they are known. */
  readonly length: number | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Response of another server, or the error of Go's HTTP client. */
export type BackendAnswer = BackendResponse | BackendFailure;

export interface BackendFailure {
  readonly outcome: 'failed';
  /** Whether nothing can be sent (`unable to load root certificates: ...`), there is no connection, or the request failed. */
  readonly stage: 'transport' | 'connection' | 'request';
  /** `dial tcp 127.0.0.1:1: connect: connection refused` */
  readonly message: string;
}

export interface BackendResponse {
  readonly outcome: 'answered';
  readonly statusCode: number;
  /** As received, one character for each byte. */
  readonly header: readonly (readonly [name: string, value: string])[];
  /** Returns the next bytes; undefined at the end. Rejects if the connection broke. */
  readonly read: () => Promise<Uint8Array | undefined>;
  /** Sends bytes after an upgrade. */
  readonly write: (bytes: Uint8Array) => void;
  /** Ends the use of the connection; ends an unfinished response. */
  readonly release: () => void;
}

/** Sends a request to another server; never throws for failures of the network. */
export type CallBackend = (call: BackendCall) => Promise<BackendAnswer>;
