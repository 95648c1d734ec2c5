import { requestInfoOf } from '../../../apiserver/call/request-info.js';
import { asStored, type StoredMetadata } from '../../../client/manifests/cluster-state.js';
import type { ServiceMapping } from '../../../client/options/address-values.js';
import type { ObserveCall } from '../../../client/run/run-calls.js';
import { stringAt, type Value, type ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { memoizeStrings } from '../../../kubernetes/memoize.js';
import { builtInResources } from '../../../kubernetes/resource-table.js';
import { kindOf, storageOf } from '../../../kubernetes/storage.js';
import { newClientRecorder } from '../../../local-apiserver/clients/client-recorder.js';
import { newShownState } from '../../../local-apiserver/clients/shown-state.js';
import { startApiServer } from '../../../local-apiserver/start-server.js';
import { createTransport } from '../../../transport/call-webhook.js';
import { effectsFor } from '../../shell/effects.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { writeKubeconfigFile } from '../apiserver/kubeconfig-file.js';
import { adminUser } from '../apiserver/users.js';
import { isConfiguration } from '../webhooks/configurations.js';
import type { CheckAddress } from '../webhooks/remote-addresses.js';
import { type ServiceAddress, serviceAddresses } from '../webhooks/services.js';

/** The API server of the process under test. */
export interface SuiteServer {
  /** Path of the kubeconfig. */
  readonly kubeconfig: string;
  /** The process is ready: what it wrote until now is part of the start, and its services are listening there. */
  readonly processIsReady: (services: readonly ServiceMapping[]) => void;
  /** Webhook configurations that the process registered before it was ready. */
  readonly registered: () => readonly ValueMap[];
  /** Takes back what clients wrote in the case before, and returns how calls of the next case are made. */
  readonly startCase: (state: CaseState) => ObserveCall;
  readonly close: () => Promise<void>;
}

export interface CaseState {
  /** Webhook configurations that clients see; those of the calls where the suite does not make up its own. */
  readonly configurations: readonly ValueMap[] | undefined;
  /** What clients see in place of the state of the calls. */
  readonly fixed: readonly ValueMap[] | undefined;
}

/** Starts the server with a state. Throws CliError when the kubeconfig cannot be written. */
export async function startSuiteServer(
  { server: apiServer, objects, options }: Pick<ClusterState, 'server' | 'objects' | 'options'>,
  checkAddress: CheckAddress | undefined,
  { cwd, now, uid, onInterrupt }: Surroundings,
): Promise<SuiteServer> {
  const { issueServingPair } = await import('../../../certificates/issue.js');
  const pair = await issueServingPair({ dns: [], ips: ['127.0.0.1'] }, now());
  const transport = createTransport({ keepConnections: true, checkAddress });
  const users = [adminUser()];
  const recorder = newClientRecorder();
  let registered: readonly ValueMap[] = [];
  let serviceAddress: ServiceAddress = () => undefined;
  const effects = () => ({ ...effectsFor(transport.callWebhook), serviceAddress });
  const server = await startApiServer({
    server: apiServer,
    host: '127.0.0.1',
    port: 0,
    pair,
    objects: [],
    options,
    users,
    effects,
    recorder,
  });
  const cluster = await server.cluster();
  const { store } = cluster;
  recorder.follow(store);
  const shown = newShownState(cluster, now, recorder.isRecording);
  await shown.show(objects);
  /** The same object every time, so that it is written once. */
  const namespaceNamed = memoizeStrings(maxNamespaces, name => newNamespace(apiServer, name, { uid, now }));
  const kubeconfig = writeKubeconfigFile({ url: server.url, ca: pair.ca, users }, undefined, cwd);
  const forget = onInterrupt(async () => kubeconfig.remove());
  return {
    kubeconfig: kubeconfig.file,
    processIsReady: services => {
      serviceAddress = serviceAddresses(services);
      shown.keepWrites();
      registered = configurationKinds.flatMap(kind => store.list(kind)).filter(object => !shown.isShown(object));
    },
    registered: () => registered,
    startCase: caseState => {
      shown.takeBackWrites();
      return async ({ call, state, isRepeated }, answer) => {
        if (isRepeated) shown.takeBackWrites();
        cluster.become(state.server);
        const presumed = presumedNamespace(state, call.path);
        const objects = caseState.fixed ?? objectsOf(state, caseState.configurations);
        await shown.show(presumed === undefined ? objects : [...objects, namespaceNamed(presumed)]);
        const end = recorder.start();
        const report = await answer();
        return { ...report, clientActivity: await end() };
      };
    },
    close: async () => {
      forget();
      kubeconfig.remove();
      await server.close();
      await transport.close();
    },
  };
}

const configurationKinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].map(kind => ({
  group: 'admissionregistration.k8s.io',
  kind,
}));

const maxNamespaces = 1000;

/** The namespace that the call names and the API server assumes to exist; undefined if there is none. */
function presumedNamespace(state: ClusterState, path: string): string | undefined {
  const info = requestInfoOf(path);
  if (!state.presumesNamespaces || info.type !== 'resource' || info.namespace === '') return undefined;
  return storageOf(state).find({ group: '', kind: 'Namespace' }, '', info.namespace) === undefined ? info.namespace : undefined;
}

function newNamespace(server: ApiServer, name: string, metadata: StoredMetadata): ValueMap {
  const [namespace] = asStored([namespaceManifest(name)], { served: builtInResources(server, 'all'), namespace: '' }, metadata);
  if (namespace === undefined) throw new Error('an object in, an object out');
  return namespace;
}

function namespaceManifest(name: string): ValueMap {
  return new Map<string, Value>([
    ['kind', 'Namespace'],
    ['apiVersion', 'v1'],
    ['metadata', new Map([['name', name]])],
  ]);
}

/** The objects of a state as earlier calls of the case left them. */
function objectsOf(state: ClusterState, configurations: readonly ValueMap[] | undefined): ValueMap[] {
  const own =
    configurations === undefined ? state.objects : [...state.objects.filter(object => !isConfiguration(object)), ...configurations];
  const storage = storageOf(state);
  const present = own.flatMap(object => {
    const { namespace, name } = namesOf(object);
    return isConfiguration(object) ? object : (storage.find(kindOf(object), namespace, name) ?? []);
  });
  return [...present, ...(state.written?.objects() ?? [])];
}

function namesOf(object: ValueMap): { readonly namespace: string; readonly name: string } {
  return { namespace: stringAt(object, 'metadata', 'namespace'), name: stringAt(object, 'metadata', 'name') };
}
