import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import type { Status } from '../../kubernetes/status.js';
import type { HttpRequest, HttpResponse } from '../http/message.js';
import type { InjectorWarning } from './configuration-error.js';

/**
 * Request for a handler: the `request` of an AdmissionReview, decoded as in Go. An absent string is '', an absent kind or resource has
 * three ''.
 */
// biome-ignore lint/suspicious/noExplicitAny: handlers without a type access members of any kind of object
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
  /** JSON text as received (YAML: as Go converts it to JSON), '' when absent. */
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

/** Answer of a handler. All members are optional: `{}` is a refusal with code 200, as in Go. */
export interface AdmissionResponse {
  /** Always overwritten by the request's uid. */
  readonly uid?: string | undefined;
  readonly allowed?: boolean | undefined;
  readonly status?: Partial<Status> | undefined;
  /** Encoded when the response is completed; they take precedence over `patch`. */
  readonly patches?: readonly Operation[] | undefined;
  readonly patch?: string | Uint8Array | undefined;
  readonly patchType?: string | undefined;
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/** Operation of a JSON patch. Without a value there is no member `value`, except for add and replace: there it is null. */
export interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** Decides about a request. Any thrown value is a panic. */
// biome-ignore lint/suspicious/noExplicitAny: see AdmissionRequest
export type AdmissionHandler<T = any> = (request: AdmissionRequest<T>) => AdmissionResponse | Promise<AdmissionResponse>;

/** Handler with options. */
export interface AdmissionWebhook {
  readonly webhook: 'admission';
  readonly handler: AdmissionHandler;
  /** When false, a panic ends the connection without an answer. */
  readonly recoverPanic: boolean;
}

/** Answers ConversionReviews. */
export interface ConversionWebhook {
  readonly webhook: 'conversion';
  /** Returns the answer to a review's body, and the recovered panics. */
  readonly answer: (body: Uint8Array) => Promise<ConversionAnswer>;
}

export interface ConversionAnswer {
  /** 400 with an empty body for an undecodable body, 200 otherwise. */
  readonly status: number;
  readonly body: string;
  readonly panicked: boolean;
  /** Event to log, when the review cannot be read or an object not be converted. */
  readonly failure?: { readonly message: string; readonly error: string; readonly stacktrace?: string | undefined } | undefined;
}

/** Answers pods as Istio's sidecar injector does. */
export interface InjectorWebhook {
  readonly webhook: 'injector';
  /** Parts of the configuration that have no effect, or fail for every pod. */
  readonly warnings: readonly InjectorWarning[];
  /** Answers a request; `onError` is called with the error of a reloaded file. */
  readonly answer: (request: HttpRequest, onError?: (message: string) => void) => Promise<HttpResponse>;
}

/** Handler that can be registered for a path. A plain function is an admission handler. */
export type Handler = AdmissionHandler | AdmissionWebhook | ConversionWebhook | InjectorWebhook;

/** Health check, which fails by throwing. */
export type HealthCheck = (request: HealthRequest) => void | Promise<void>;

export interface HealthRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Server interface for a module of handlers, to register paths and checks. */
export interface WebhookServer {
  /** Registers a path by the rules of Go's mux: `/x/` is a subtree. Throws for a registered path. */
  register(path: string, handler: Handler): void;
  addHealthzCheck(name: string, check: HealthCheck): void;
  addReadyzCheck(name: string, check: HealthCheck): void;
  /** Returns a check that the server accepts TLS connections. */
  startedChecker(): HealthCheck;
}
