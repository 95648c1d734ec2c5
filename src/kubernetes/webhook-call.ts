import type { CallStage } from './call-steps.js';
import type { ServiceName } from './service-name.js';

export type Phase = 'mutating' | 'validating';

/** timeoutSeconds of a webhook that has none. Source: admissionregistration/v1 SetDefaults_ValidatingWebhook, SetDefaults_MutatingWebhook. */
export const defaultTimeoutSeconds = 10;

/** Reason why a webhook was not called or its response not understood. */
export type FailureClass = 'dns' | 'tcp' | 'tls' | 'http' | 'time' | 'body' | 'review' | 'patch' | 'limit';

/** Where a webhook listens. */
export interface WebhookAddress {
  readonly host: string;
  readonly port: number;
  /** Service of the user's cluster, which is not reachable by host and port from here. */
  readonly inCluster?: ServiceName | undefined;
}

/** One review to send to a webhook. */
export interface WebhookCall {
  readonly phase: Phase | 'conversion';
  readonly configuration: string;
  readonly webhook: string;
  /** `https://host:port/path?timeout=10s`, as Go prints it in errors. */
  readonly url: string;
  /** Host and port to connect to; the URL's own unless there is a service. */
  readonly address: WebhookAddress;
  /** Name in SNI and in the certificate: the URL's host, or `NAME.NS.svc` for a service. */
  readonly serverName: string;
  /** PEM; undefined for the machine's roots. */
  readonly caBundle: Uint8Array | undefined;
  /** Whole seconds, in `timeout=` too. */
  readonly timeoutSeconds: number;
  /** Milliseconds the call may take: the webhook's timeout, limited to what is left of the request's. */
  readonly deadlineMs: number;
  /** `admission.k8s.io/v1`: the version of the review. */
  readonly apiVersion: string;
  /** Uid of the request in the review. */
  readonly uid: string;
  /** The review. */
  readonly body: string;
}

/** Result of a webhook call: an HTTP response of any status, or the error of Go's HTTP client. */
export type WebhookAnswer =
  | {
      readonly outcome: 'answered';
      readonly statusCode: number;
      /** As received, with lower-case names, in order. */
      readonly headers: readonly (readonly [string, string])[];
      readonly body: Uint8Array;
      readonly durationMs: number;
      /** Audit annotations about the connections: whole keys. */
      readonly auditAnnotations?: Readonly<Record<string, string>>;
    }
  | {
      /** Nothing could be sent: the caBundle or a client certificate is unusable. `unable to load root certificates: ...` */
      readonly outcome: 'noClient';
      readonly message: string;
    }
  | {
      readonly outcome: 'failed';
      readonly class: FailureClass;
      /** `Post "https://...": dial tcp 127.0.0.1:1: connect: connection refused` */
      readonly message: string;
      /** The message without `Post "https://...": `; undefined without this prefix. */
      readonly reason?: string | undefined;
      readonly durationMs: number;
      /** Audit annotations about the connections: whole keys. */
      readonly auditAnnotations?: Readonly<Record<string, string>>;
    };

/** A review as it was sent, and the answer. */
export interface WebhookExchange {
  readonly call: WebhookCall;
  readonly answer: WebhookAnswer;
}

/** Sends a review; never throws for failures of a webhook or the network. `onStage` is called when a stage of the call begins. */
export type CallWebhook = (call: WebhookCall, onStage?: (stage: CallStage) => void) => Promise<WebhookAnswer>;
