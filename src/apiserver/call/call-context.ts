import type { ValueMap } from '../../go/value.js';
import type { ApiCall, ClusterState, UserInfo } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { StatusError } from '../../kubernetes/status.js';
import type { Storage } from '../../kubernetes/storage.js';
import type { CallRecord } from '../admission/call-record.js';
import type { AdmissionChain, AdmissionContext } from '../admission/chain.js';
import { authorizerOf } from '../authorization/authorizer-of.js';
import type { ApiObject } from '../objects/api-object.js';
import type { Codec } from '../objects/codec.js';
import type { StrategyContext } from '../registry/strategy.js';
import type { ProxyLocation, ReviewedToken, ShownToServing, TokenDemand, WatchStream } from '../report/serving.js';
import type { BodyReading } from './body.js';
import type { CustomVersions } from './convert-object.js';
import type { Query, ResourceRequest } from './request-info.js';
import type { FieldValidation } from './request-options.js';
import type { Served, ServedEndpoint } from './served-resources.js';
import type { WatchCache } from './watch-cache.js';

/** Everything the steps of one call share. */
export interface CallContext {
  readonly server: ApiServer;
  readonly call: ApiCall;
  readonly info: ResourceRequest;
  readonly query: Query;
  readonly endpoint: ServedEndpoint;
  /** Reads and writes the endpoint's objects, in the version of the URL. */
  readonly codec: Codec;
  /** CustomResourceDefinition of the endpoint; undefined for built-in resources. */
  readonly definition: ValueMap | undefined;
  /** The definition with its converter between versions. */
  readonly custom: CustomVersions | undefined;
  readonly user: UserInfo;
  readonly state: ClusterState;
  readonly storage: Storage;
  readonly served: Served;
  readonly effects: Effects;
  readonly record: CallRecord;
  readonly serving: Serving | undefined;
  /** The object as seen by admission and the client: at Scale endpoints its Scale. */
  readonly shownAs?: (object: ApiObject) => ApiObject;
  readonly chain: AdmissionChain;
  readonly admission: AdmissionContext;
  /** Creates a fresh context for an update retry. Undefined in the retry. */
  readonly again: (() => CallContext) | undefined;
}

/** What storage and its watch caches need of a call; of `admission`, the conversion between versions; of `serving`, the caches. */
export type StorageCall = Pick<
  CallContext,
  | ('server' | 'state' | 'storage' | 'effects' | 'admission' | 'serving')
  | ('call' | 'query' | 'endpoint' | 'info' | 'codec' | 'definition' | 'custom')
>;

/** Additional behavior of a server that answers any client, in any form, and keeps connections open. */
export interface Serving {
  /** Checks that an acceptable form of the answer can be written; throws the 406. */
  readonly negotiate: (call: ApiCall, endpoint: ServedEndpoint) => void;
  /** Opens a watch on a collection. Throws the error for the client. */
  readonly watch: (context: CallContext) => Promise<WatchStream>;
  /**
   * Returns the watch cache for a call; the 429 while it cannot be filled; undefined where there is none, or where it shows what storage has.
   */
  readonly watchCache?: (context: StorageCall) => Promise<WatchCache | StatusError | undefined>;
  /** Resolves when the watch caches of a resource have followed its changes as far as they can. */
  readonly cachesSettled?: (context: StorageCall) => Promise<void>;
  /** Receives the decoded object or options of a body, before anything changes them. */
  readonly onRequestObject?: ((object: ApiObject) => void) | undefined;
  /** Authorizes the creation of the object of an update or a patch. Throws the 403 or 500. */
  readonly authorizeCreation?: () => Promise<void>;
  /** Issues a token for a service account. */
  readonly issueToken?: (request: TokenDemand) => string;
  /** Returns the user of a token for a TokenReview; undefined for an invalid token. */
  readonly reviewToken?: (token: string, audiences: readonly string[]) => ReviewedToken | Promise<ReviewedToken>;
}

/** Context for the steps of the registry. */
export function strategyContext(context: CallContext, dryRun: boolean): StrategyContext {
  const { server, endpoint, info, storage, effects, record, user, served, state } = context;
  // Writes of a Scale use the strategy of its object.
  const subresource = context.shownAs === undefined ? info.subresource : '';
  const { resources } = served;
  const authorizer = () => authorizerOf({ state, storage, record });
  const usesRbac = state.live !== undefined || state.options.authorizationModes.has('RBAC');
  const shared = { server, storage, effects, record, user, resources, authorizer };
  return { resource: endpoint.resource, subresource, verb: endpoint.verb, requestName: info.name, dryRun, usesRbac, ...shared };
}

/** Returns the decoding options of a call's body. */
export function readingOf(validation: FieldValidation, { codec, record, serving, effects }: CallContext): BodyReading {
  const { steps } = effects;
  return { codec, validation, warn: texts => record.warnings.push(...texts), onDecoded: serving?.onRequestObject, steps };
}

/** Answer of a verb: an object of the endpoint's codec, or a Status of success. */
export interface VerbAnswer {
  readonly code: number;
  /** JSON as sent in the body. */
  readonly body: string;
  /** True when the body is known to be an object and not a Status. */
  readonly isObject?: boolean;
  /** Decoded body, when it is available without parsing. */
  readonly object?: ValueMap | undefined;
  /** The typed value, for other forms of the answer. */
  readonly shown?: (() => ShownToServing) | undefined;
  /** The answer is a stream of events. */
  readonly stream?: WatchStream | undefined;
  /** The answer is that of another server. */
  readonly proxiedTo?: ProxyLocation | undefined;
}
