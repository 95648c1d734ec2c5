import type { ApiObject } from '../objects/api-object.js';
import type { Report } from '../report.js';

/** One call as a server answers it. */
export interface ServedCall {
  readonly report: Report;
  readonly shown: (() => Shown) | undefined;
  readonly stream: WatchStream | undefined;
}

/** Events of a watch, until the client or the time ends it. */
export interface WatchStream {
  /** Content type of the stream. */
  readonly contentType: string;
  /** Starts sending; `send` returns false once the client is too slow. Returns how to stop. */
  start(send: (frame: string | Uint8Array) => boolean, end: () => void): () => void;
}

/** What a token is issued for. */
export interface TokenDemand {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly boundTo: { readonly kind: string; readonly name: string; readonly uid: string } | undefined;
  readonly now: Date;
}

/** Answer to the question whose token it is. */
export type ReviewedToken =
  | {
      readonly user: {
        readonly username: string;
        readonly uid: string;
        readonly groups: readonly string[];
        readonly extra: ReadonlyMap<string, readonly string[]>;
      };
      readonly audiences: readonly string[];
    }
  | { readonly error: string };

/** The typed contents of an answer, from which other forms of it are written. */
export type Shown =
  | { readonly type: 'object'; readonly object: ApiObject }
  | {
      readonly type: 'list';
      readonly items: readonly ApiObject[];
      readonly custom: boolean;
      readonly kind: string;
      readonly apiVersion: string;
      readonly metadata: ListMetadata;
    };

export interface ListMetadata {
  readonly resourceVersion: string;
  readonly continue: string;
  readonly remainingItemCount: number | undefined;
}
