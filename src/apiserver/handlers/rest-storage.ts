import type { ApiServer } from '../../kubernetes/api-server.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { Attributes } from '../admission/attributes.js';
import type { WriteOptions } from '../endpoints/request-options.js';
import type { ApiObject } from '../objects/api-object.js';
import type { CallContext, VerbAnswer } from './call-context.js';

/** What answers the objects that are posted and not stored: an Eviction, an access review. Source: apiserver registry/rest NamedCreater. */
export interface RestStorage {
  /** Runs after the mutating phase, and returns the client's answer. The validating phase is a part of it. */
  readonly create: (object: ApiObject, posted: Posted, context: CallContext) => Promise<VerbAnswer>;
  /** The uid and the resourceVersion that are posted are preconditions. */
  readonly keepsSystemFields?: true;
}

/** An object as it was admitted. */
export interface Posted {
  readonly attributes: Attributes;
  readonly options: WriteOptions;
}

declare module '../../kubernetes/api-server.js' {
  interface ApiServer {
    /** Returns the storage of a resource or subresource, `subjectaccessreviews.authorization.k8s.io` or `pods./eviction`. */
    readonly restStorageNamed: (name: string) => RestStorage | undefined;
  }
}

/** Returns what answers a POST to an endpoint; undefined for objects that are stored. */
export function restStorageOf(server: ApiServer, { group, resource, custom }: Resource, subresource: string): RestStorage | undefined {
  return custom ? undefined : server.restStorageNamed(`${resource}.${group}${subresource === '' ? '' : `/${subresource}`}`);
}
