import type { SecureVersion } from 'node:tls';

/** What a scripted endpoint does, as data (`then` of a document is `ending` here). Everything that no part of it speaks of is allowed. */
export interface Script {
  /** What requests for `path` get (for every path when there is none); connection and refuse leave no room for anything else. */
  readonly endpoint?: Behaviour | ConnectionScript | RefuseScript | undefined;
  readonly path?: string | undefined;
  /** What requests for other paths get. */
  readonly routes?: Readonly<Record<string, Behaviour>> | undefined;
  readonly certificate?: ScriptedTls | undefined;
}

/** How the script's endpoint speaks TLS, and with what. */
export interface ScriptedTls {
  /** A recorded case's name for a pair that is elsewhere. */
  readonly name?: string | undefined;
  /** PEM texts, leaf first. */
  readonly pair?: { readonly chain: string; readonly key: string } | undefined;
  /** OpenSSL's cipher list. */
  readonly ciphers?: string | undefined;
  readonly minimum?: SecureVersion | undefined;
  readonly maximum?: SecureVersion | undefined;
  /** PEM: demands a client certificate of this authority. */
  readonly clientCA?: string | undefined;
}

/** What one request gets. */
export type Behaviour = HttpScript | RawScript | SequenceScript;

/** A well-formed answer; delays in milliseconds. */
export interface HttpScript {
  readonly kind: 'http';
  /** 200 if absent. */
  readonly status?: number | undefined;
  /** The words behind the status; the usual ones if absent. */
  readonly reason?: string | undefined;
  /** `1.1` if absent. */
  readonly version?: string | undefined;
  /** In this order; of several values each gets a line. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly body?: Body | undefined;
  /** One chunk a MiB, no Content-Length. */
  readonly chunked?: boolean | undefined;
  readonly noLength?: boolean | undefined;
  /** A Content-Length of its own. */
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

/** Exactly these bytes instead of an answer. */
export interface RawScript {
  readonly kind: 'raw';
  readonly bytes?: Body | undefined;
  readonly delayMs?: number | undefined;
  /** `close` if absent. */
  readonly ending?: Ending | undefined;
}

/** One after the other, the last one again and again. */
export interface SequenceScript {
  readonly kind: 'sequence';
  readonly answers: readonly (HttpScript | RawScript)[];
}

/** Below TLS: read something, send bytes in plain, then end. */
export interface ConnectionScript {
  readonly kind: 'connection';
  readonly read: 'nothing' | 'client-hello';
  readonly bytesBase64?: string | undefined;
  readonly ending: Ending;
}

/** A port on which nothing listens. */
export interface RefuseScript {
  readonly kind: 'refuse';
}

/**
 * How a connection ends: in order, TCP FIN without TLS' farewell, TCP RST, never, as half (nothing more is sent), or not at all: it
 * serves the next request.
 */
export type Ending = 'close' | 'abort' | 'reset' | 'hang' | 'half-close' | 'keep';

/** A text or a list of parts. In texts `{{uid}}`, `{{UID}}` and `{{apiVersion}}` stand for those of the review received. */
export type Body = string | BodyPart | readonly (string | BodyPart)[];

export type BodyPart =
  | { readonly repeat: string; readonly times: number }
  | { readonly base64: string }
  | { readonly base64Of: Body }
  | { readonly gzipOf: Body };

/** The answer to whatever the script does not speak of. */
export const allow: HttpScript = {
  kind: 'http',
  headers: { 'Content-Type': 'application/json' },
  body: '{"apiVersion":"{{apiVersion}}","kind":"AdmissionReview","response":{"uid":"{{uid}}","allowed":true}}',
};
