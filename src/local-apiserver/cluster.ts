import { authorizerOf } from '../apiserver/authorization/authorizer-of.js';
import type { Serving } from '../apiserver/handlers/call-context.js';
import type { Authorizer } from '../cel/library/authorizer.js';
import type { ValueMap } from '../go/value.js';
import type { ClusterState, UserInfo } from '../kubernetes/api-call.js';
import type { Effects } from '../kubernetes/effects.js';
import { kubernetesMinor } from '../kubernetes/kubernetes-version.js';
import { serverOptions } from '../kubernetes/server-options.js';
import { storageOf } from '../kubernetes/storage.js';
import { userInfo } from './access/authentication.js';
import { type AccountTokens, newAccountTokens, ownAudience } from './access/service-account-tokens.js';
import { newTokenCache } from './access/token-cache.js';
import { loadBootstrapObjects } from './bootstrap/bootstrap-objects.js';
import { followDefinitions } from './lifecycle/definitions.js';
import { followNamespaces } from './lifecycle/namespaces.js';
import { forgetReplaced } from './store/forget-replaced.js';
import { kindName, newStore, type Store } from './store/store.js';
import { type FrameCache, newFrameCache } from './watch/frame-cache.js';

/** A user with a bearer token. */
export interface TokenUser {
  readonly token: string;
  readonly username: string;
  readonly groups: readonly string[];
}

/** Options of a server. */
export interface ClusterOptions {
  /** Initial objects, in their stored form. */
  readonly objects: readonly ValueMap[];
  readonly flags: readonly string[];
  readonly users: readonly TokenUser[];
  /** Creates the side effects of a call when it arrives. */
  readonly effects: () => Effects;
}

/** State of the server between requests. */
export interface Cluster {
  readonly store: Store;
  readonly frames: FrameCache;
  readonly tokens: AccountTokens;
  readonly effects: () => Effects;
  /** Current state; the same object as long as the definitions and the selected Kubernetes version do not change. */
  state(): ClusterState;
  authorizer(): Authorizer;
  /** Returns the user of a bearer token; undefined if it is invalid. */
  userOf(token: string): UserInfo | undefined;
  readonly reviewToken: NonNullable<Serving['reviewToken']>;
}

const definitionKind = kindName({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' });

/** Returns a cluster of the selected Kubernetes version with the bootstrap objects and those of the options. */
export function newCluster({ objects, flags, users, effects }: ClusterOptions): Cluster {
  const clock = effects().now;
  const store = newStore(() => clock().getTime());
  const makeState = (): ClusterState => ({
    objects: [],
    presumesNamespaces: false,
    flags,
    kubernetesVersion: kubernetesMinor(),
    live: store,
  });
  let state = makeState();
  const currentState = (): ClusterState => {
    // Suites run their cases for several versions, and clients of the same server must see that of the case.
    if (state.kubernetesVersion !== kubernetesMinor()) state = makeState();
    return state;
  };
  store.subscribe(change => {
    if (change.kind === definitionKind) state = makeState();
  });
  followDefinitions(store, clock);
  forgetReplaced(store);
  loadBootstrapObjects(store, { objects, effects: effects() });
  // As in envtest, which disables the plugin, nothing needs the accounts then.
  if (!serverOptions(flags).disabledPlugins.includes('ServiceAccount')) followNamespaces(store, effects);
  const tokens = newAccountTokens(store, clock);
  const cached = newTokenCache();
  const byToken = new Map(users.map(user => [user.token, userInfo(user.username, user.groups)]));
  const cluster: Cluster = {
    store,
    frames: newFrameCache(),
    tokens,
    effects,
    state: currentState,
    authorizer: () => authorizerOf({ state: currentState(), storage: storageOf(currentState()), record: { notes: [] } }),
    userOf: token => {
      const known = byToken.get(token);
      if (known !== undefined) return known;
      return cached(token, clock().getTime(), () => {
        const reviewed = tokens.review(token, [ownAudience]);
        return 'user' in reviewed ? reviewed.user : undefined;
      });
    },
    reviewToken: (token, audiences) => {
      const known = byToken.get(token);
      if (known !== undefined)
        return audiences.length === 0 || audiences.includes(ownAudience)
          ? { user: known, audiences: [ownAudience] }
          : { error: 'invalid bearer token' };
      return tokens.review(token, audiences.length === 0 ? [ownAudience] : audiences);
    },
  };
  return cluster;
}
