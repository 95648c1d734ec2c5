import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import type { Status } from '../../kubernetes/status.js';
import type { HttpRequest, HttpResponse } from '../http/message.js';

/** What a handler is asked: the `request` of an AdmissionReview, decoded as Go decodes it. An absent text is '', an absent kind or resource has three ''. */
// biome-ignore lint/suspicious/noExplicitAny: a handler that does not name a type reads members of whatever object it is asked about
export interface AdmissionRequest<T = any> {
  readonly uid: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource: string;
  readonly requestKind?: GroupVersionKind | undefined;
  readonly requestResource?: GroupVersionResource | undefined;
  readonly requestSubResource: string;
  readonly name: string;
  readonly namespace: string;
  /** CREATE, UPDATE, DELETE or CONNECT. */
  readonly operation: string;
  readonly dryRun?: boolean | undefined;
  readonly userInfo: UserInfo;
  /** Parsed; undefined when absent or null. */
  readonly object: T;
  readonly oldObject: T;
  // biome-ignore lint/suspicious/noExplicitAny: CreateOptions, UpdateOptions and so on, as sent
  readonly options: any;
  /** The JSON text as received (of YAML: as Go turns it into JSON), '' when absent. */
  readonly raw: RawObjects;
}

export interface RawObjects {
  readonly object: string;
  readonly oldObject: string;
  readonly options: string;
}

export interface UserInfo {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What a handler answers. All members may be left out: `{}` is a refusal with code 200, as in Go. */
export interface AdmissionResponse {
  /** Always overwritten by the request's. */
  readonly uid?: string | undefined;
  readonly allowed?: boolean | undefined;
  readonly status?: Partial<Status> | undefined;
  /** Encoded when the response is completed; they win over `patch`. */
  readonly patches?: readonly Operation[] | undefined;
  readonly patch?: string | Uint8Array | undefined;
  readonly patchType?: string | undefined;
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/** An operation of a JSON patch. Without a value there is no member `value`, but for add and replace: there it is null. */
export interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** Decides about a request. Anything thrown is a panic. */
// biome-ignore lint/suspicious/noExplicitAny: see AdmissionRequest
export type AdmissionHandler<T = any> = (request: AdmissionRequest<T>) => AdmissionResponse | Promise<AdmissionResponse>;

/** A handler with options. */
export interface AdmissionWebhook {
  readonly webhook: 'admission';
  readonly handler: AdmissionHandler;
  /** False: a panic ends the connection without an answer. */
  readonly recoverPanic: boolean;
}

/** Answers ConversionReviews. */
export interface ConversionWebhook {
  readonly webhook: 'conversion';
  /** The answer to a review's body, and the panics that were recovered. */
  readonly answer: (body: Uint8Array) => Promise<ConversionAnswer>;
}

export interface ConversionAnswer {
  /** 400 with an empty body for what cannot be decoded, 200 otherwise. */
  readonly status: number;
  readonly body: string;
  readonly panicked: boolean;
}

/** Answers pods as Istio's sidecar injector does. */
export interface InjectorWebhook {
  readonly webhook: 'injector';
  /** `onError` takes what is wrong with a file that was read again. */
  readonly answer: (request: HttpRequest, onError?: (message: string) => void) => Promise<HttpResponse>;
}

/** What can be registered for a path. A plain function is an admission handler. */
export type Handler = AdmissionHandler | AdmissionWebhook | ConversionWebhook | InjectorWebhook;

/** Fails by throwing. */
export type HealthCheck = (request: HealthRequest) => void | Promise<void>;

export interface HealthRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a module of handlers is given: paths and checks are registered with it. */
export interface WebhookServer {
  /** Paths by the rules of Go's mux: `/x/` is a subtree. Throws for a path that is taken. */
  register(path: string, handler: Handler): void;
  addHealthzCheck(name: string, check: HealthCheck): void;
  addReadyzCheck(name: string, check: HealthCheck): void;
  /** A check that the server accepts TLS connections. */
  startedChecker(): HealthCheck;
}
