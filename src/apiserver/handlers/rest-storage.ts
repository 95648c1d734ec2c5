import type { ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { Attributes } from '../admission/attributes.js';
import type { CallContext, VerbAnswer } from '../call/call-context.js';
import type { WriteOptions } from '../call/request-options.js';
import type { ApiObject } from '../objects/api-object.js';
import type { PatchType } from './apply-client-patch.js';

/** Storage of a resource or subresource whose objects are not stored, by what it can do. Source: apiserver registry/rest. */
export interface RestStorage {
  /**
   * Answers an object that is posted: an Eviction, an access review. Runs after the mutating phase, and returns the client's answer. The
   * validating phase is a part of it. Source: NamedCreater.
   */
  readonly create?: (object: ApiObject, posted: Posted, context: CallContext) => Promise<VerbAnswer>;
  /** The uid and the resourceVersion that are posted are preconditions. */
  readonly keepsSystemFields?: true;
  readonly connecter?: Connecter;
  /** Answers a GET of a subresource that is not an object, such as a log. Source: GetterWithOptions. */
  readonly read?: (parent: ApiObject, context: CallContext) => VerbAnswer;
  /**
   * Returns the objects of a collection that are made for each request, in the order of their names. They have no resourceVersion and cannot
   * be watched. Source: Lister.
   */
  readonly list?: () => readonly ValueMap[];
}

/** Storage of a stream: exec, proxy. Source: Connecter. */
export interface Connecter {
  /** Returns the members of the options, which are read from the path and the query only. Source: NewConnectOptions. */
  readonly options: (context: CallContext) => ValueMap;
  /** Runs after admission, and returns the answer. */
  readonly connect: (context: CallContext) => VerbAnswer;
}

/** An object as it was admitted. */
export interface Posted {
  readonly attributes: Attributes;
  readonly options: WriteOptions;
}

/**
 * What answers for a part of stored objects that is shown as an object of another kind: their Scale. Source: apiserver registry/rest Getter,
 * Updater and Patcher.
 */
export interface PartStorage {
  /** Returns the part of an object. */
  readonly read: (parent: ApiObject, context: CallContext) => ApiObject;
  readonly update: (context: CallContext) => Promise<VerbAnswer>;
  readonly patch: (context: CallContext, type: Exclude<PatchType, 'apply'>, text: string) => Promise<VerbAnswer>;
  /** Changes the part of the URL's object: `make` returns the new part from the current one. */
  readonly change: (
    context: CallContext,
    options: WriteOptions,
    make: (old: ApiObject, context: CallContext) => Promise<ApiObject>,
  ) => Promise<VerbAnswer>;
}

declare module '../../kubernetes/api-server.js' {
  interface ApiServer {
    /** Returns the storage of a resource or subresource without stored objects: `subjectaccessreviews.authorization.k8s.io`, `pods./eviction`. */
    readonly restStorageNamed: (name: string) => RestStorage | undefined;
    /** Returns the storage of a subresource that any resource can have: `scale`. */
    readonly partStorageNamed: (subresource: string) => PartStorage | undefined;
  }
}

/** Returns the storage of an endpoint; undefined for objects that are stored. */
export function restStorageOf(server: ApiServer, { group, resource, custom }: Resource, subresource: string): RestStorage | undefined {
  return custom ? undefined : server.restStorageNamed(`${resource}.${group}${subresource === '' ? '' : `/${subresource}`}`);
}

/** Returns what shows the objects of a resource that are made for each request; undefined for those that are stored. */
export function unstoredObjectsOf(server: ApiServer, resource: Resource): readonly ValueMap[] | undefined {
  return restStorageOf(server, resource, '')?.list?.();
}

/** Returns what answers for the part that the URL names; undefined for objects, and for subresources of their own kind. */
export function partStorageOf({ server, info }: Pick<CallContext, 'server' | 'info'>): PartStorage | undefined {
  return server.partStorageNamed(info.subresource);
}
