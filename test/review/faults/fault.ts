import type { Profile } from '../../support/certificate-profiles.js';

/** Result of a call: the class of a failure, the webhook's decision, or `refused` by the API server itself. */
export type Decision = 'allowed' | 'denied' | 'refused' | 'dns' | 'tcp' | 'tls' | 'http' | 'time' | 'body' | 'review' | 'patch' | 'limit';

/** One fault of a webhook or its configuration, and the expected decision. */
export interface Fault {
  /** What is wrong, or unusual, with the webhook: `404`. Several faults share a name. */
  readonly name: string;
  /** An endpoint description, as `serve --script` takes it. */
  readonly script: unknown;
  readonly decision: Decision;
  /** Message of the client's Status, with PORT and CLIENT for ports and UID for uids; empty if the call is allowed. */
  readonly message: string;
  readonly setting?: Setting;
}

/** Differences from a regular call of a validating webhook for the creation of a config map. */
export interface Setting {
  /** A profile of certificates; `valid` if absent. */
  readonly certificate?: string;
  /** The host of the URL; 127.0.0.1 if absent. */
  readonly host?: string;
  /** Instead of the whole URL; PORT is the endpoint's. */
  readonly url?: string;
  /** A certificate for this fault, instead of a profile's. */
  readonly made?: () => Profile;
  /** Instead of the profile's own. */
  readonly bundle?: string;
  readonly mutating?: boolean;
  readonly ignore?: boolean;
  /** `unset`: absent in the configuration. */
  readonly timeoutSeconds?: number | 'unset';
  readonly version?: 'v1' | 'v1beta1' | 'v2';
  readonly matchCondition?: string;
  readonly dryRun?: boolean;
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly sideEffects?: 'None' | 'Some';
}

const failed = 'Internal error occurred: failed calling webhook "w.example.com": ';

/** The wrapper W1: the call itself failed. */
export function w1(message: string, { host = '127.0.0.1', timeoutSeconds = 10, url = `https://${host}:PORT/w` }: Setting = {}): string {
  return w2(`Post "${url}?timeout=${timeoutSeconds === 'unset' ? 10 : timeoutSeconds}s": ${message}`);
}

/** W2: the response is not a review. */
export function w2(message: string): string {
  return `${failed}failed to call webhook: ${message}`;
}

/** W3: the review violates a rule. */
export function w3(message: string): string {
  return `${failed}received invalid webhook response: ${message}`;
}

/** W4: the patch is invalid. */
export function w4(message: string): string {
  return `${failed}received undecodable patch in webhook response: ${message}`;
}

/** W5: not attributed to a webhook, so no failure policy applies. */
export function w5(message: string): string {
  return `Internal error occurred: ${message}`;
}

/** W6: a denial. */
export function w6(message: string): string {
  return `admission webhook "w.example.com" denied the request${message}`;
}

/** W7: the webhook cannot be called. */
export function w7(message: string): string {
  return `${failed}could not get REST client: ${message}`;
}

/** A body that ends early. */
export function broken(message: string): string {
  return w2(`unexpected error when reading response body. Please retry. Original error: ${message}`);
}

/** Go's error for malformed HTTP/1. */
export function malformed(message: string): string {
  return w1(`net/http: HTTP/1.x transport connection broken: ${message}`);
}

/** A review with this response; a string is the response's JSON. */
export function review(response: Readonly<Record<string, unknown>> | string): string {
  const text = typeof response === 'string' ? response : JSON.stringify({ uid: '{{uid}}', ...response });
  return `{"apiVersion":"{{apiVersion}}","kind":"AdmissionReview","response":${text}}`;
}

export const allowed = review({ allowed: true });

/** 200 with this body. */
export function answer(body: unknown, more: Readonly<Record<string, unknown>> = {}): unknown {
  return { kind: 'http', headers: { 'Content-Type': 'application/json' }, body, ...more };
}

/** An answer with a status and plain text. */
export function status(code: number, body = '', headers: Readonly<Record<string, string>> = { 'Content-Type': 'text/plain' }): unknown {
  return { kind: 'http', status: code, headers, body };
}

/** Describes how a connection ends. */
export function ending(word: string): Readonly<Record<string, string>> {
  return Object.fromEntries([['then', word]]);
}

/** Exactly these bytes. */
export function raw(bytes: unknown, then = 'close'): unknown {
  return { kind: 'raw', bytes, ...ending(then) };
}

/** Below TLS. */
export function connection(read: 'nothing' | 'client-hello', bytes: string | Uint8Array, then: string): unknown {
  return { kind: 'connection', read, bytesBase64: Buffer.from(bytes).toString('base64'), ...ending(then) };
}
