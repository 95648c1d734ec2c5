import type { WatchStream } from '../../apiserver/handlers/serving.js';

/** A request as it came over the wire. */
export interface Incoming {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names lower-cased, in order; a name may come several times. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** DER of the client's certificate, verified against the authority; undefined without one. */
  readonly peer: PeerName | undefined;
  /** The body, at most one byte more than the API server takes. */
  readonly body: () => Promise<Uint8Array>;
}

/** Who a client certificate says the client is. */
export interface PeerName {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

/** What is sent back. */
export interface Reply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array;
  readonly stream?: WatchStream | undefined;
}

/** The first value of a header; undefined when it is absent. */
export function headerOf({ headers }: Pick<Incoming, 'headers'>, name: string): string | undefined {
  return headers.find(([key]) => key === name)?.[1];
}

/** The path without its query. */
export function pathOf({ url }: Pick<Incoming, 'url'>): string {
  return url.split('?', 1)[0] ?? '';
}

/** A reply in plain text, as Go's http.Error writes it. */
export function plainReply(status: number, body: string): Reply {
  return {
    status,
    headers: [
      ['Content-Type', 'text/plain; charset=utf-8'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body,
  };
}

/** A reply in JSON. */
export function jsonReply(body: string, status = 200): Reply {
  return { status, headers: [['Content-Type', 'application/json']], body };
}
