import { authorizerOf, type OtherAuthorizer } from '../../apiserver/authorization/authorizer-of.js';
import type { Serving } from '../../apiserver/call/call-context.js';
import { type Instances, instancesOf } from '../../apiserver/instances.js';
import type { Report } from '../../apiserver/report/report.js';
import type { Authorizer } from '../../cel/library/authorizer.js';
import type { ValueMap } from '../../go/value.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { CallBackend } from '../../kubernetes/backend-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import { lazy } from '../../kubernetes/memoize.js';
import type { ApiServerOptions } from '../../kubernetes/server-options.js';
import { storageOf } from '../../kubernetes/storage.js';
import type { Authenticators } from '../access/authentication.js';
import type { RequestHeaders } from '../access/request-headers.js';
import { type AccountTokens, newAccountTokens } from '../access/service-account-tokens.js';
import type { AskForToken } from '../access/token-answer.js';
import { newTokenAuthority, type TokenAuthority } from '../access/token-keys.js';
import { type TokenUser, tokenUsers } from '../access/token-users.js';
import { type Aggregator, followApiServices } from '../aggregator/follow-api-services.js';
import type { AuditOptions } from '../audit/audited-request.js';
import { type Advertised, loadBootstrapObjects } from '../bootstrap/bootstrap-objects.js';
import { followFlowSchemas } from '../flow-control/dangling-condition.js';
import { type FlowHeaders, newFlowHeaders } from '../flow-control/flow-control.js';
import { type DefinitionControllers, followDefinitions } from '../lifecycle/definitions/follow-definitions.js';
import { followNamespaces } from '../lifecycle/namespaces.js';
import { followRegisteredVersions } from '../lifecycle/registered-versions.js';
import { repairAddresses } from '../lifecycle/repair-addresses.js';
import { endReplacedWatchWindows } from '../lifecycle/replaced-watch-windows.js';
import { followDefaultServiceCidr, followServiceAddresses } from '../lifecycle/service-addresses.js';
import { type Audiences, newAudiences } from '../store/audiences.js';
import { kindName } from '../store/collection-names.js';
import { forgetReplaced } from '../store/forget-replaced.js';
import { type FrameCache, newFrameCache } from '../store/frame-cache.js';
import { newStore, type Store, type StoreContents } from '../store/store.js';
import { type CachesWorld, type CustomCaches, newCustomCaches } from '../watch-cache/custom-caches.js';

/** Options of a server. */
export interface ClusterOptions {
  /** The API server to be. */
  readonly server: ApiServer;
  /** Initial objects, in their stored form. */
  readonly objects: readonly ValueMap[];
  readonly options: ApiServerOptions;
  /** Configurations of admission plugins by name. */
  readonly pluginConfigurations?: ReadonlyMap<string, ValueMap> | undefined;
  readonly users: readonly TokenUser[];
  /** Authorizers of modes that ask files or servers, by mode. */
  readonly otherAuthorizers?: ReadonlyMap<string, OtherAuthorizer> | undefined;
  /** Keys of service account tokens; a new one by default. */
  readonly tokenAuthority?: TokenAuthority | undefined;
  /** Contents of the store of an earlier server, in place of the bootstrap objects. */
  readonly restored?: StoreContents | undefined;
  /** Address of the API server for the cluster; an address for documentation by default. */
  readonly advertised?: Advertised | undefined;
  /** `10.0.0.0/16` by default. */
  readonly serviceCidr?: string | undefined;
  /** Whether requests of a path without credentials are those of `system:anonymous`; true by default. */
  readonly allowsAnonymous?: Authenticators['allowsAnonymous'] | undefined;
  /** Asked for tokens that are neither those of the users nor of a service account. */
  readonly askForOtherToken?: AskForToken | undefined;
  /** Users that an authenticating proxy names. */
  readonly requestHeaders?: RequestHeaders | undefined;
  readonly audit?: AuditOptions | undefined;
  /** Whether responses name the flow schema of their request; true by default. */
  readonly hasFlowControl?: boolean | undefined;
  /** Min duration of a watch without `timeoutSeconds`, in seconds; 0: such a watch does not end. 1800 by default. */
  readonly minRequestTimeoutSeconds?: number | undefined;
  /** Whether every namespace gets the service account `default`, as from a cluster's controllers; true by default. */
  readonly createsServiceAccounts?: boolean | undefined;
  /** Where the ports of pods lead to, by `NAMESPACE/POD:PORT`; without it, nothing is forwarded, and proxies connect to the pods themselves. */
  readonly forwards?: ReadonlyMap<string, { readonly host: string; readonly port: number }> | undefined;
  /** Sends requests to the services of APIServices, to pods and nodes; without it, these are never available. */
  readonly callBackend?: CallBackend | undefined;
  /** Creates the side effects of a call when it arrives. */
  readonly effects: () => Effects;
  /** Observes a call that may change objects. */
  readonly observe?: (() => CallObserver) | undefined;
}

/** Observes one call of a client. */
export interface CallObserver {
  /** Side effects of the call. */
  readonly effects: Effects;
  /** Called with the report when the call is answered. */
  readonly answered: (report: Report, call: ApiCall, state: ClusterState) => void;
}

/** State of the server between requests. */
export interface Cluster extends Authenticators {
  /** The API server that it is now. */
  readonly server: ApiServer;
  /** Becomes another API server: suites run their cases for several versions, and clients must see that of the case. */
  become(server: ApiServer): void;
  readonly store: Store;
  readonly frames: FrameCache;
  readonly audiences: Audiences;
  readonly caches: CustomCaches;
  readonly definitions: DefinitionControllers;
  readonly tokens: AccountTokens;
  readonly advertised: Advertised;
  readonly audit: AuditOptions | undefined;
  readonly flowHeaders: FlowHeaders;
  readonly minRequestTimeoutSeconds: number;
  readonly effects: () => Effects;
  readonly observe: ClusterOptions['observe'];
  readonly forwards: ClusterOptions['forwards'];
  readonly callBackend: ClusterOptions['callBackend'];
  /** Returns what the service of an APIService serves, by the name of this. */
  readonly remoteVersionAt: Aggregator['versionAt'];
  /** Returns the OpenAPI v3 documents of the services of APIServices by path. */
  readonly remoteOpenApi: Aggregator['openApi'];
  /** Ends what goes on between requests. */
  readonly stop: () => void;
  /** Current state; the same object as long as the definitions and the API server do not change. */
  state(): ClusterState;
  authorizer(): Authorizer;
  /** Replaces the modes of authorization, and the authorizers of those that ask files or servers. */
  authorizeBy(modes: ReadonlySet<string>, others: ReadonlyMap<string, OtherAuthorizer> | undefined): void;
  readonly reviewToken: NonNullable<Serving['reviewToken']>;
}

/** An address that is valid in Endpoints, in which loopback addresses are not allowed. */
const defaultAdvertised: Advertised = { address: '192.0.2.2', port: 6443 };

const definitions = kindName({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' });

/** Returns a cluster with the bootstrap objects and those of the options. */
export function newCluster(given: ClusterOptions): Cluster {
  const { server, objects, options, tokenAuthority, effects, serviceCidr = '10.0.0.0/16' } = given;
  const clock = effects().now;
  const store = newStore(() => clock().getTime());
  let state: ClusterState = {
    server,
    objects: [],
    presumesNamespaces: false,
    options,
    pluginConfigurations: given.pluginConfigurations,
    otherAuthorizers: given.otherAuthorizers,
    live: store,
  };
  store.subscribe(change => {
    if (change.collection === definitions) state = { ...state };
  });
  followChanges(store, effects);
  const aggregator = followApiServices(store, { state: () => state, effects, callBackend: given.callBackend });
  const advertised = given.advertised ?? defaultAdvertised;
  if (given.restored !== undefined) store.restore(given.restored);
  else loadBootstrapObjects(store, { server, objects, effects: effects(), advertised, serviceCidr });
  const customResources = startCustomResources({ store, effects, state: () => state });
  // As in envtest, which disables the plugin, nothing needs the accounts then.
  const needsAccounts = !options.disabledPlugins.includes('ServiceAccount');
  if (needsAccounts && given.createsServiceAccounts !== false) followNamespaces(store, effects);
  const tokens = newAccountTokens(
    store,
    clock,
    lazy(() => tokenAuthority ?? newTokenAuthority()),
  );
  return {
    get server() {
      return state.server;
    },
    become: other => {
      if (other !== state.server) state = { ...state, server: other };
    },
    store,
    frames: newFrameCache(),
    audiences: newAudiences(store),
    ...customResources,
    tokens,
    effects,
    observe: given.observe,
    forwards: given.forwards,
    callBackend: given.callBackend,
    remoteVersionAt: aggregator.versionAt,
    remoteOpenApi: aggregator.openApi,
    stop: aggregator.stop,
    advertised,
    audit: given.audit,
    flowHeaders: given.hasFlowControl === false ? () => [] : newFlowHeaders(store),
    minRequestTimeoutSeconds: given.minRequestTimeoutSeconds ?? 1800,
    allowsAnonymous: given.allowsAnonymous ?? (() => true),
    requestHeaders: given.requestHeaders,
    state: () => state,
    authorizeBy: (authorizationModes, otherAuthorizers) => {
      state = { ...state, options: { ...state.options, authorizationModes }, otherAuthorizers };
    },
    authorizer: () => authorizerOf({ state, storage: storageOf(state), record: { notes: [] } }),
    ...tokenUsers({ users: given.users, tokens, askForOtherToken: given.askForOtherToken, now: clock }),
  };
}

/** Starts the watch caches of custom resources, and the controllers of their definitions. */
function startCustomResources(world: CachesWorld): Pick<Cluster, 'caches' | 'definitions'> {
  const caches = newCustomCaches(world);
  const shared = { watchCache: caches.cacheFor, cachesSettled: caches.settled };
  const instances = (definition: ValueMap): Instances => instancesOf(definition, world.state(), { effects: world.effects, caches: shared });
  return { caches, definitions: followDefinitions({ ...world, instancesOf: instances }) };
}

/** Starts what follows the changes of the store. */
function followChanges(store: Store, effects: () => Effects): void {
  endReplacedWatchWindows(store);
  followFlowSchemas(store, effects().now);
  followRegisteredVersions(store, effects);
  forgetReplaced(store);
  followServiceAddresses(store, effects);
  repairAddresses(store, effects);
  followDefaultServiceCidr(store, effects);
}
