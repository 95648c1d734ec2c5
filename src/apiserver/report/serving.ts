import type { ApiObject } from '../objects/api-object.js';
import type { Report } from './report.js';

/** Result of one call for a server. */
export interface ServedCall {
  readonly report: Report;
  readonly shown: (() => ShownToServing) | undefined;
  readonly stream: WatchStream | undefined;
  readonly proxiedTo: ProxyLocation | undefined;
}

/** Where an admitted request to a proxy is passed on to. */
export interface ProxyLocation {
  readonly scheme: 'http' | 'https';
  /** IP address, or the name of a node. */
  readonly address: string;
  /** As in the URL; empty for that of the scheme. */
  readonly port: string;
  /** Decoded; empty if the request's path ends with the subresource. */
  readonly path: string;
  /** `shop/web-0`: the pod that has this address; undefined for a node. */
  readonly pod: string | undefined;
}

/** Events of a watch, until the client closes it or it times out. */
export interface WatchStream {
  /** Content type of the stream. */
  readonly contentType: string;
  /** Starts sending. Returns a function that stops it. */
  start(sink: WatchSink): () => void;
}

/** An encoded event of a watch. */
export type WatchFrame = string | Uint8Array;

/** Where the events of a watch go. */
export interface WatchSink {
  /** Sends events. Returns false if the client is too slow. */
  send(frames: readonly WatchFrame[]): boolean;
  /** Called after the last event. */
  end(): void;
}

/** Claims of a token to issue. */
export interface TokenDemand {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly boundTo: { readonly kind: string; readonly name: string; readonly uid: string } | undefined;
  readonly now: Date;
}

/** Result of a token review. */
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

/** The typed contents of an answer, for encoding other forms. */
export type ShownToServing =
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
  /** The selector of shards; undefined for a list of all. */
  readonly shards: string | undefined;
}
