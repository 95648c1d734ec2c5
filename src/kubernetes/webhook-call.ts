export type Phase = 'mutating' | 'validating';

/** What kind of trouble kept a webhook from being called or understood. */
export type FailureClass = 'dns' | 'tcp' | 'tls' | 'http' | 'time' | 'body' | 'review' | 'patch' | 'limit';

/** One review on its way to a webhook. The line builds it; whoever owns the network sends it. */
export interface WebhookCall {
  readonly phase: Phase | 'conversion';
  readonly configuration: string;
  readonly webhook: string;
  /** `https://host:port/path?timeout=10s`, as Go prints it in errors. */
  readonly url: string;
  /** Host and port to connect to; the URL's own where no service stands between. */
  readonly address: { readonly host: string; readonly port: number };
  /** Name in SNI and in the certificate: the URL's host, or `NAME.NS.svc` for a service. */
  readonly serverName: string;
  /** PEM text; undefined: the machine's roots. */
  readonly caBundle: string | undefined;
  /** Whole seconds, in `timeout=` too. */
  readonly timeoutSeconds: number;
  /** Milliseconds the call may take: the webhook's timeout cut to what is left of the request's. */
  readonly deadlineMs: number;
  readonly body: string;
}

/** What came of sending it: an HTTP answer of any status, or none, in the words of Go's HTTP client. */
export type WebhookAnswer =
  | {
      readonly outcome: 'answered';
      readonly statusCode: number;
      /** As received, names lower-cased, in order. */
      readonly headers: readonly (readonly [string, string])[];
      readonly body: Uint8Array;
      readonly durationMs: number;
      /** What the connections tell the audit log: whole keys. */
      readonly auditAnnotations?: Readonly<Record<string, string>>;
    }
  | {
      /** Nothing could be sent: the caBundle (or a client certificate) is unusable. `unable to load root certificates: ...` */
      readonly outcome: 'noClient';
      readonly message: string;
    }
  | {
      readonly outcome: 'failed';
      readonly class: FailureClass;
      /** `Post "https://...": dial tcp 127.0.0.1:1: connect: connection refused` */
      readonly message: string;
      /** The message without `Post "https://...": `; undefined when it has none. */
      readonly reason?: string | undefined;
      readonly durationMs: number;
      /** What the connections tell the audit log: whole keys. */
      readonly auditAnnotations?: Readonly<Record<string, string>>;
    };

/** A review as it was sent, and the answer. */
export interface Exchange {
  readonly call: WebhookCall;
  readonly answer: WebhookAnswer;
}

/** Sends a review; never throws for what a webhook or a network does. */
export type CallWebhook = (call: WebhookCall) => Promise<WebhookAnswer>;
