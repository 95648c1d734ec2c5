import { CliError, invalidFlag } from '../../../client/cli-error.js';
import { stateOf } from '../../../client/manifests/cluster-state.js';
import { storedManifests } from '../../../client/manifests/manifests.js';
import type { ServiceMapping } from '../../../client/options/address-values.js';
import { copyOf, isMap, listAt, stringAt, toValue, type ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import { defaultServerOptions } from '../../../kubernetes/server-options.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { apiServers } from '../../work/api-servers/api-servers.js';
import { readInputFiles } from '../../work/input/files.js';
import { authorityOf, withOwnConfigurations, withUrl } from '../../work/webhooks/cluster-webhooks.js';
import { isConfiguration } from '../../work/webhooks/configurations.js';
import { checkConfigurations } from '../../work/webhooks/refused-configurations.js';
import type { WaitFlags } from './wait-options.js';

/** A webhook to wait for, in a cluster where it is the only webhook and matches every call. */
export interface AwaitedWebhook {
  readonly name: string;
  readonly state: ClusterState;
  /** False if its path is unknown: a 404 may then be caused by the path. */
  readonly hasPath: boolean;
}

/** Returns the webhooks of the flags. Throws CliError when there are none, and for a configuration that the API server rejects. */
export async function readAwaitedWebhooks(flags: WaitFlags, surroundings: Surroundings): Promise<AwaitedWebhook[]> {
  const { cwd } = surroundings;
  const { url, service, filename } = flags;
  if (url !== undefined && filename !== undefined) throw new CliError('usage', '--url and -f are mutually exclusive');
  if (url !== undefined) return singles(withUrl(stateWith([], surroundings), url, { flags, cwd }));
  if (filename !== undefined) return readConfiguredWebhooks(flags, filename, surroundings);
  if (service !== undefined) return service.flatMap(mapping => singles(...serviceState(mapping, flags, surroundings)));
  throw new CliError('usage', 'no webhook to wait for', {
    suggestions: ['pass --url URL', '--service NS/NAME=URL', '-f with webhook configurations'],
  });
}

async function readConfiguredWebhooks(flags: WaitFlags, paths: readonly string[], surroundings: Surroundings): Promise<AwaitedWebhook[]> {
  const files = await readInputFiles({ flag: '-f', paths, recursive: flags.recursive ?? false }, surroundings);
  const state = stateWith(
    files.flatMap(value => storedManifests(apiServers(), value)).map(({ object }) => object),
    surroundings,
  );
  await checkConfigurations(state);
  const found = singles(withOwnConfigurations(state, { flags, cwd: surroundings.cwd }) ?? state);
  if (found.length > 0) return found;
  throw new CliError('no-objects', 'no webhook configuration found', { suggestions: ['pass its file with -f'] });
}

function stateWith(objects: readonly ValueMap[], surroundings: Surroundings): ClusterState {
  return stateOf(objects, { server: apiServers(), options: defaultServerOptions, presumesNamespaces: true }, surroundings);
}

/** Returns the state with a webhook for a mapped service; the webhook's path is the path of the mapping's URL. */
function serviceState(mapping: ServiceMapping, flags: WaitFlags, surroundings: Surroundings): [ClusterState, boolean] {
  const { namespace, name, port = 443, url, address } = mapping;
  if (namespace === '*' || name === '*' || address === undefined) {
    throw invalidFlag('service', mapping.text, 'NAMESPACE/NAME[:PORT]=URL without -f');
  }
  const { pathname } = new URL(url.includes('://') ? url : `https://${url}`);
  const caBundle = authorityOf(flags, surroundings.cwd);
  const webhook = {
    name: `${name}.${namespace}.svc`,
    clientConfig: {
      service: { namespace, name, path: pathname, port },
      ...(caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString('base64') }),
    },
    admissionReviewVersions: ['v1'],
  };
  const configuration = toValue({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [webhook],
  });
  if (!isMap(configuration)) throw new Error('a configuration is an object');
  return [stateWith([configuration], surroundings), pathname !== '/'];
}

/** Returns each webhook of a state, with a state in which only this webhook is called: for every call, including dry runs. */
function singles(state: ClusterState, hasPath = true): AwaitedWebhook[] {
  const others = state.objects.filter(object => stringAt(object, 'kind') === 'Service');
  return state.objects.filter(isConfiguration).flatMap(configuration =>
    listAt(configuration, 'webhooks')
      .filter(isMap)
      .map(webhook => {
        const alone = new Map([...configuration, ['webhooks', [matchingAll(webhook)]]] as const);
        return { name: stringAt(webhook, 'name'), state: { ...state, objects: [...others, alone] }, hasPath };
      }),
  );
}

const everyCall = toValue({
  rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' }],
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  matchConditions: [],
  failurePolicy: 'Fail',
  sideEffects: 'None',
});

function matchingAll(webhook: ValueMap): ValueMap {
  const copy = copyOf(webhook);
  if (!isMap(copy) || !isMap(everyCall)) throw new Error('a webhook is an object');
  for (const [key, value] of everyCall) copy.set(key, value);
  return copy;
}
