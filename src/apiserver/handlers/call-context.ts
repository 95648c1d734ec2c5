import type { ValueMap } from '../../go/value.js';
import type { ApiCall, ClusterState, UserInfo } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { Storage } from '../../kubernetes/storage.js';
import type { CallRecord } from '../admission/call-record.js';
import type { AdmissionChain, AdmissionContext } from '../admission/chain.js';
import { authorizerOf } from '../authorization/authorizer-of.js';

import type { Query, ResourceRequest } from '../endpoints/request-info.js';
import type { FieldValidation } from '../endpoints/request-options.js';
import type { Endpoint, Served } from '../endpoints/served-resources.js';
import type { ApiObject } from '../objects/api-object.js';
import type { Codec } from '../objects/codec.js';
import type { StrategyContext } from '../registry/strategy.js';
import type { Reading } from './body.js';
import type { CustomVersions } from './convert-object.js';

import type { ReviewedToken, Shown, TokenDemand, WatchStream } from './serving.js';

/** Everything the steps of one call share. */
export interface CallContext {
  readonly call: ApiCall;
  readonly info: ResourceRequest;
  readonly query: Query;
  readonly endpoint: Endpoint;
  /** Reads and writes the endpoint's objects, in the version of the URL. */
  readonly codec: Codec;
  /** The CustomResourceDefinition behind the endpoint; undefined for built-in resources. */
  readonly definition: ValueMap | undefined;
  /** The same with its converter between versions. */
  readonly custom: CustomVersions | undefined;
  readonly user: UserInfo;
  readonly state: ClusterState;
  readonly storage: Storage;
  readonly served: Served;
  readonly effects: Effects;
  readonly record: CallRecord;
  readonly serving: Serving | undefined;
  /** What admission and the client see of an object that is stored: its Scale, at such endpoints. */
  readonly shownAs?: (object: ApiObject) => ApiObject;
  readonly chain: AdmissionChain;
  readonly admission: AdmissionContext;
  /** What a second attempt of an update goes by: nothing is remembered of the first. Undefined in a second attempt. */
  readonly again: (() => CallContext) | undefined;
}

/** Additional behavior of a server that answers any client, in any form, and keeps connections open. */
export interface Serving {
  /** Checks that an acceptable form of the answer can be written; throws the 406. */
  readonly negotiate: (call: ApiCall, endpoint: Endpoint) => void;
  /** Opens a watch on a collection. Throws what the client gets instead. */
  readonly watch: (context: CallContext) => Promise<WatchStream>;
  /** Issues a token for a service account. */
  readonly issueToken?: (request: TokenDemand) => string;
  /** Answers a TokenReview: the user of a token, undefined for one that is not valid. */
  readonly reviewToken?: (token: string, audiences: readonly string[]) => ReviewedToken;
}

/** What a step of the registry gets to see. */
export function strategyContext(context: CallContext, dryRun: boolean): StrategyContext {
  const { endpoint, info, storage, effects, record, user, served, state } = context;
  // A Scale is written as its object is, by the same rules.
  const subresource = context.shownAs === undefined ? info.subresource : '';
  const { resources } = served;
  const authorizer = () => authorizerOf({ state, storage, record });
  return { resource: endpoint.resource, subresource, storage, effects, record, user, dryRun, resources, authorizer };
}

/** How the body of a call is read. */
export function readingOf(validation: FieldValidation, { codec, record }: CallContext): Reading {
  return { codec, validation, warn: texts => record.warnings.push(...texts) };
}

/** What a verb answers: an object of the endpoint's codec, or a Status of success. */
export interface VerbAnswer {
  readonly code: number;
  /** JSON as it stands in the body. */
  readonly body: string;
  /** The body is an object and no Status, as is known without reading it. */
  readonly isObject?: boolean;
  /** What reading the body would give, where that is at hand without it. */
  readonly object?: ValueMap | undefined;
  /** The typed contents, for other forms of the answer. */
  readonly shown?: (() => Shown) | undefined;
  /** The answer is a stream of events. */
  readonly stream?: WatchStream | undefined;
}
