import type { SecureVersion } from 'node:tls';

/** Behavior of a scripted endpoint, as data (`then` in a document is `ending` here). Requests that match no part of it are allowed. */
export interface Script {
  /** Endpoint for requests to `path` (for every path if absent); `connection` and `refuse` apply to all. */
  readonly endpoint?: Behaviour | ConnectionScript | RefuseScript | undefined;
  readonly path?: string | undefined;
  /** Endpoints for other paths. */
  readonly routes?: Readonly<Record<string, Behaviour>> | undefined;
  readonly certificate?: ScriptedTls | undefined;
}

/** Certificate and TLS options. */
export interface ScriptedTls {
  /** Name of a key pair outside of the document, in recorded cases. */
  readonly name?: string | undefined;
  /** PEM texts, leaf first. */
  readonly pair?: { readonly chain: string; readonly key: string } | undefined;
  /** OpenSSL cipher list. */
  readonly ciphers?: string | undefined;
  readonly minimum?: SecureVersion | undefined;
  readonly maximum?: SecureVersion | undefined;
  /** PEM: requires a client certificate of this authority. */
  readonly clientCA?: string | undefined;
}

/** Behavior for one request. */
export type Behaviour = HttpScript | RawScript | SequenceScript;

/** A well-formed answer; delays in milliseconds. */
export interface HttpScript {
  readonly kind: 'http';
  /** 200 if absent. */
  readonly status?: number | undefined;
  /** The reason phrase; the standard one if absent. */
  readonly reason?: string | undefined;
  /** `1.1` if absent. */
  readonly version?: string | undefined;
  /** In this order; one header line per value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly body?: Body | undefined;
  /** One chunk per MiB, without Content-Length. */
  readonly chunked?: boolean | undefined;
  readonly noLength?: boolean | undefined;
  /** Overrides Content-Length. */
  readonly contentLength?: number | undefined;
  /** Before the first byte. */
  readonly delayMs?: number | undefined;
  /** After every byte of the head. */
  readonly dripMs?: number | undefined;
  /** In the middle of the body. */
  readonly bodyDelayMs?: number | undefined;
  /** `keep` if absent. */
  readonly ending?: Ending | undefined;
}

/** These bytes instead of an HTTP answer. */
export interface RawScript {
  readonly kind: 'raw';
  readonly bytes?: Body | undefined;
  readonly delayMs?: number | undefined;
  /** `close` if absent. */
  readonly ending?: Ending | undefined;
}

/** Used in order, the last one repeatedly. */
export interface SequenceScript {
  readonly kind: 'sequence';
  readonly answers: readonly (HttpScript | RawScript)[];
}

/** Below TLS: reads, sends bytes in plain text, then closes. */
export interface ConnectionScript {
  readonly kind: 'connection';
  readonly read: 'nothing' | 'client-hello';
  readonly bytesBase64?: string | undefined;
  readonly ending: Ending;
}

/** A port that refuses connections. */
export interface RefuseScript {
  readonly kind: 'refuse';
}

/** How a connection is closed: properly, TCP FIN without close_notify, TCP RST, never, half-closed, or kept for the next request. */
export type Ending = 'close' | 'abort' | 'reset' | 'hang' | 'half-close' | 'keep';

/** A text or a list of parts. In texts, `{{uid}}`, `{{UID}}` and `{{apiVersion}}` are replaced by those of the received review. */
export type Body = string | BodyPart | readonly (string | BodyPart)[];

export type BodyPart =
  | { readonly repeat: string; readonly times: number }
  | { readonly base64: string }
  | { readonly base64Of: Body }
  | { readonly gzipOf: Body };

/** The answer to requests that match no part of the script. */
export const allow: HttpScript = {
  kind: 'http',
  headers: { 'Content-Type': 'application/json' },
  body: '{"apiVersion":"{{apiVersion}}","kind":"AdmissionReview","response":{"uid":"{{uid}}","allowed":true}}',
};
