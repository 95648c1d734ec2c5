import type { ValueMap } from '../go/value.js';
import type { ApiServer } from './api-server.js';
import type { LiveStorage } from './live-storage.js';
import type { ObjectSource } from './object-source.js';
import type { ApiServerOptions } from './server-options.js';
import type { WrittenObjects } from './written-objects.js';

/** One client request, as it arrives at the API server. */
export interface ApiCall {
  readonly method: string;
  /** Path and query as on the request line. */
  readonly path: string;
  /** Undefined if there is no such header; empty if it was sent empty. */
  readonly contentType?: string | undefined;
  /** Headers other than Content-Type and User-Agent. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | undefined;
  readonly userAgent?: string | undefined;
  /** Impersonated user; undefined for `kubernetes-admin`, the administrator of kubeconfig files. */
  readonly user?: RequestedUser | undefined;
}

/** User as the client requests it; the API server adds groups. */
export interface RequestedUser {
  readonly username: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** User as the API server resolves it: `userInfo` of a review. */
export interface UserInfo {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** Keys sorted. */
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** Contents of the cluster before the call. */
export interface ClusterState {
  /** Objects as GET returns them: namespaces, CRDs, webhook configurations, stored objects ... */
  readonly objects: readonly ValueMap[];
  /** Assume that a namespace named by the call exists. */
  readonly presumesNamespaces: boolean;
  /** Leave the managed fields of built-in objects as they are, but for those that are applied: nobody sees them. */
  readonly leavesManagedFields?: boolean | undefined;
  readonly options: ApiServerOptions;
  /** Configurations of admission plugins by name, valid and without their type; none by default. Source: apiserver admission/config.go. */
  readonly pluginConfigurations?: ReadonlyMap<string, ValueMap> | undefined;
  /** Objects written by earlier calls of the same run; absent if calls are independent. */
  readonly written?: WrittenObjects | undefined;
  /** Live storage, which is used instead of `objects` and stores what calls write. */
  readonly live?: LiveStorage | undefined;
  /** Cluster that holds what is not among `objects`; nothing is then taken to exist. */
  readonly source?: ObjectSource | undefined;
  readonly server: ApiServer;
}
