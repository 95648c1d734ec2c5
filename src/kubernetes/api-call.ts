import type { ValueMap } from '../go/value.js';
import type { WrittenObjects } from './written-objects.js';

/** One request by a client, as it arrives at the API server. */
export interface ApiCall {
  readonly method: string;
  /** Path and query as on the request line. */
  readonly path: string;
  /** Absent: no header. Empty: the header was sent empty. */
  readonly contentType?: string | undefined;
  /** Headers other than Content-Type and User-Agent. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | undefined;
  readonly userAgent?: string | undefined;
  /** The user who was impersonated; absent: the administrator of kubeconfig files, `kubernetes-admin`. */
  readonly user?: RequestedUser | undefined;
}

/** A user as the client asks for it: the API server adds groups to it. */
export interface RequestedUser {
  readonly username: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The user the API server makes of it: `userInfo` of a review. */
export interface UserInfo {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** Keys sorted. */
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** What exists in the cluster before the call. */
export interface ClusterState {
  /** Objects as GET returns them: namespaces, definitions of custom resources, webhook configurations, stored objects ... */
  readonly objects: readonly ValueMap[];
  /** A namespace that the call names is taken to exist: nobody said what exists. */
  readonly presumesNamespaces: boolean;
  /** Flags of kube-apiserver, as on its command line: `--enable-admission-plugins=AlwaysPullImages`. */
  readonly flags: readonly string[];
  /** Objects that earlier calls of the same run wrote; absent where calls are independent. */
  readonly written?: WrittenObjects | undefined;
}
