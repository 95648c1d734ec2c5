import { servedBy } from '../../../../apiserver/call/served-resources.js';
import { instancesOf } from '../../../../apiserver/instances.js';
import { allowWithoutSending } from '../../../../client/run/allowing-webhook.js';
import { answerWithEffects } from '../../../../client/run/run-calls.js';
import { stringAt, type ValueMap } from '../../../../go/value.js';
import type { ApiCall, ClusterState } from '../../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { isDefinition } from '../../../../kubernetes/definition-resources.js';
import type { Effects } from '../../../../kubernetes/effects.js';
import { sameKind } from '../../../../kubernetes/group-version.js';
import type { Resource } from '../../../../kubernetes/resource-table.js';
import { kindOf } from '../../../../kubernetes/storage.js';
import type { CallWebhook } from '../../../../kubernetes/webhook-call.js';
import type { Obstacle, RehearsalUnit } from '../../../../lint/rehearsal/rehearsal.js';
import { loadBootstrapObjects } from '../../../../local-apiserver/bootstrap/bootstrap-objects.js';
import { settleDefinitions } from '../../../../local-apiserver/lifecycle/definitions/follow-definitions.js';
import { newStore, type Store, type StoreContents } from '../../../../local-apiserver/store/store.js';
import { effectsFor } from '../../../shell/effects.js';
import { simulatedObject, withoutPlugins } from '../simulated-calls.js';

/** A cluster in memory, whose webhooks answer when the pods of their workload are ready. */
export interface RehearsedCluster {
  readonly store: Store;
  readonly state: () => ClusterState;
  /** Makes a call. Returns why it fails; undefined if it succeeds. */
  readonly send: (call: ApiCall) => Promise<Obstacle | undefined>;
  /** Returns the served resource of an object; undefined without one. */
  readonly resourceOf: (object: ValueMap) => Resource | undefined;
  /** Returns the same resource in all served versions. */
  readonly resourcesNamed: (resource: Resource) => readonly Resource[];
  /** Lets the controllers of definitions do what they can. */
  readonly settleDefinitions: () => Promise<void>;
}

/** Opens a cluster with contents, which it does not change. */
export function openRehearsed(server: ApiServer, units: readonly RehearsalUnit[], contents: StoreContents): RehearsedCluster {
  const store = newStore(() => 0);
  store.restore(contents);
  let state: ClusterState = { server, objects: [], presumesNamespaces: false, options: withoutPlugins, live: store };
  store.subscribe(({ object, previous }) => {
    // Caches of definitions and of what is served depend on it.
    if (isDefinition(object ?? previous ?? new Map())) state = { ...state };
  });
  let unanswered: Obstacle['unanswered'];
  const callWebhook: CallWebhook = async call => {
    const failure = failureOf(call.url, units, store);
    if (failure === undefined) return allowWithoutSending(call);
    const { phase, configuration, webhook } = call;
    unanswered = { phase: phase === 'conversion' ? 'conversion' : 'admission', configuration, webhook };
    return { outcome: 'failed', class: 'tcp', message: `Post "${call.url}": ${failure}`, durationMs: 0 };
  };
  const effects = (): Effects => ({
    ...effectsFor(callWebhook),
    serviceAddress: () => ({ host: '10.0.0.1', port: 443 }),
    ignoresServiceSpecs: true,
  });
  return {
    store,
    state: () => state,
    send: async call => {
      unanswered = undefined;
      const { decision } = await answerWithEffects(call, state, effects);
      return decision.allowed ? undefined : { message: stringAt(decision.status, 'message'), unanswered };
    },
    resourceOf: object => servedBy(state).resources.find(({ kind }) => sameKind(kind, kindOf(object))),
    resourcesNamed: ({ group, resource }) => servedBy(state).resources.filter(one => one.group === group && one.resource === resource),
    settleDefinitions: () =>
      settleDefinitions({
        store,
        state: () => state,
        effects,
        instancesOf: definition => instancesOf(definition, state, { effects }),
      }),
  };
}

/** What calls need of a new API server; the other bootstrap objects would be copied with every step. */
const neededCollections = ['/Namespace', 'networking.k8s.io/ServiceCIDR'];

/** Returns the contents of a new API server, with namespaces that the files presume. */
export function emptyContents(server: ApiServer, namespaces: readonly string[]): StoreContents {
  const store = newStore(() => 0);
  const presumed = [...new Set(namespaces)].map(name => simulatedObject({ apiVersion: 'v1', kind: 'Namespace', ...namespaceParts(name) }));
  const advertised = { address: '192.0.2.2', port: 6443 };
  const effects = effectsFor(allowWithoutSending);
  loadBootstrapObjects(store, { server, objects: presumed, effects, advertised, serviceCidr: '10.0.0.0/16' });
  const { revision, collections } = store.contents();
  return { revision, collections: new Map([...collections].filter(([name]) => neededCollections.includes(name))) };
}

function namespaceParts(name: string): Readonly<Record<string, unknown>> {
  const metadata = { name, labels: { 'kubernetes.io/metadata.name': name } };
  return { metadata, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } };
}

/** Returns why a webhook does not answer. Those outside of the cluster and those whose Service is not in the files do. */
function failureOf(url: string, units: readonly RehearsalUnit[], store: Store): string | undefined {
  const [, name = '', namespace = ''] = /^https:\/\/([^./]+)\.([^./]+)\.svc(?::\d+)?(?:\/|\?|$)/.exec(url) ?? [];
  const unit = units.find(
    ({ kind, objects }) =>
      kind === 'workload' &&
      objects.some(
        object =>
          stringAt(object, 'kind') === 'Service' &&
          stringAt(object, 'metadata', 'name') === name &&
          stringAt(object, 'metadata', 'namespace') === namespace,
      ),
  );
  if (unit === undefined) return undefined;
  if (store.find({ group: '', kind: 'Service' }, namespace, name) === undefined) return `service "${name}" not found`;
  return hasReadyPod(unit, store) ? undefined : 'dial tcp 10.0.0.1:443: connect: connection refused';
}

/** Reports whether the pod of a workload is ready. */
export function hasReadyPod({ objects: [workload] }: RehearsalUnit, store: Store): boolean {
  const [namespace, name] = [stringAt(workload, 'metadata', 'namespace'), stringAt(workload, 'metadata', 'name')];
  return stringAt(store.find({ group: '', kind: 'Pod' }, namespace, `${name}-1`), 'status', 'phase') === 'Running';
}
