import { CliError } from '../../client/cli-error.js';
import { listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { dns1123SubdomainProblems } from '../../kubernetes/name-rules.js';
import type { ServiceName } from '../../kubernetes/service-name.js';
import { shellWord } from '../../writers/shell.js';
import type { ClusterClient } from '../http/cluster-client.js';
import { type ReadResource, readList, readObject } from '../reading/read-objects.js';

/** Port of a pod that a service sends connections to. */
export interface PodPort {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

const services: ReadResource = { group: '', version: 'v1', resource: 'services', kind: { group: '', version: 'v1', kind: 'Service' } };
const pods: ReadResource = { group: '', version: 'v1', resource: 'pods', kind: { group: '', version: 'v1', kind: 'Pod' } };

/**
 * Reads the ready pods of a service, each with the port that the service's port leads to, the pod that was ready for the longest time first. Never empty: rejects
 * with CliError for a service that has none. Source: kubectl pkg/cmd/portforward, polymorphichelpers attachablepodforobject.go; the API server's
 * util/proxy ResolveEndpoint for headless services.
 */
export async function readServicePods(client: ClusterClient, service: ServiceName): Promise<readonly PodPort[]> {
  const { namespace, name } = service;
  const found = await readObject(client, services, { namespace, name });
  const where = `service ${namespace}/${name}`;
  if (found === undefined)
    throw unusable(service, `the webhook's ${where} does not exist in the cluster of context ${JSON.stringify(client.context)}`);
  if (stringAt(found, 'spec', 'type') === 'ExternalName')
    throw unusable(service, `${where} is an ExternalName (${stringAt(found, 'spec', 'externalName')}), which has no pods to forward to`);
  const selector = mapAt(found, 'spec', 'selector') ?? new Map<string, Value>();
  if (selector.size === 0)
    throw unusable(service, `${where} has no selector: its endpoints are outside of the cluster's pods, and cannot be forwarded to`);
  const port = listAt(found, 'spec', 'ports').find(each => Number(valueAt(each, 'port')) === service.port);
  if (port === undefined) throw unusable(service, `${where} has no port ${service.port}: its ports are ${portsOf(found)}`);
  const labelSelector = [...selector].map(([key, value]) => `${key}=${String(value)}`).join(',');
  const selected = await readList(client, pods, { namespace, labelSelector });
  const isReadyAnyway = valueAt(found, 'spec', 'publishNotReadyAddresses') === true;
  const judged = selected
    .sort(byPreference)
    .map(pod => ({ name: stringAt(pod, 'metadata', 'name'), port: portIn(pod, port, isReadyAnyway) }));
  const usable = judged.flatMap(pod => (typeof pod.port === 'number' ? [{ namespace, pod: pod.name, port: pod.port }] : []));
  if (usable.length > 0) return usable;
  const reasons = judged.map(pod => `${pod.name} (${pod.port})`);
  const shown = [...reasons.slice(0, maxShown), ...(reasons.length > maxShown ? [`${reasons.length - maxShown} more`] : [])];
  throw unusable(
    service,
    reasons.length === 0
      ? `no pod in namespace ${namespace} matches the selector ${labelSelector} of ${where}`
      : `${where} has no ready pod: ${shown.join(', ')}`,
  );
}

/** Max number of pods in a message. */
const maxShown = 5;

function unusable({ namespace, name }: ServiceName, message: string): CliError {
  return new CliError('incomplete-state', message, {
    suggestions: [`pass --service ${shellWord(`${namespace}/${name}=URL`)} to call the webhook somewhere else`],
  });
}

function portsOf(service: ValueMap): string {
  const ports = listAt(service, 'spec', 'ports').map(port => String(valueAt(port, 'port')));
  return ports.length === 0 ? 'none' : ports.join(', ');
}

/** Returns the number of the pod's port, or why the pod cannot be used. */
function portIn(pod: ValueMap, servicePort: Value, isReadyAnyway: boolean): number | string {
  const reason = invalidName(pod) ?? unreadyReason(pod, isReadyAnyway);
  if (reason !== undefined) return reason;
  const target = valueAt(servicePort, 'targetPort');
  const name = typeof target === 'string' ? target : '';
  if (name === '') return Number(target) || Number(valueAt(servicePort, 'port'));
  const sidecars = listAt(pod, 'spec', 'initContainers').filter(container => stringAt(container, 'restartPolicy') === 'Always');
  const ports = [...listAt(pod, 'spec', 'containers'), ...sidecars].flatMap(container => listAt(container, 'ports'));
  const named = ports.find(port => stringAt(port, 'name') === name && (stringAt(port, 'protocol') || 'TCP') === 'TCP');
  return named === undefined ? `no container port is named ${JSON.stringify(name)}` : Number(valueAt(named, 'containerPort'));
}

/** An API server that does not check names must not choose the path of a request. */
function invalidName(pod: ValueMap): string | undefined {
  return dns1123SubdomainProblems(stringAt(pod, 'metadata', 'name')).length === 0 ? undefined : 'not a valid name';
}

function unreadyReason(pod: ValueMap, isReadyAnyway: boolean): string | undefined {
  if (stringAt(pod, 'metadata', 'deletionTimestamp') !== '') return 'terminating';
  const phase = stringAt(pod, 'status', 'phase') || 'Pending';
  if (phase !== 'Running') return [phase, waitingReason(pod)].filter(text => text !== '').join(': ');
  const condition = readyCondition(pod);
  if (isReadyAnyway || stringAt(condition, 'status') === 'True') return undefined;
  const message = waitingReason(pod) || stringAt(condition, 'message') || stringAt(condition, 'reason');
  return message === '' ? 'not ready' : `not ready: ${message}`;
}

/** Returns why the first container that waits does so: `CrashLoopBackOff`. */
function waitingReason(pod: ValueMap): string {
  return (
    listAt(pod, 'status', 'containerStatuses')
      .map(status => stringAt(status, 'state', 'waiting', 'reason'))
      .find(text => text !== '') ?? ''
  );
}

function readyCondition(pod: ValueMap): Value | undefined {
  return listAt(pod, 'status', 'conditions').find(condition => stringAt(condition, 'type') === 'Ready');
}

/** Compares pods as kubectl does among ready ones: ready for longer, restarted less often, older. Source: kubectl podutils ActivePods. */
function byPreference(a: ValueMap, b: ValueMap): number {
  const compare = (x: string, y: string): number => (x < y ? -1 : x > y ? 1 : 0);
  return (
    compare(stringAt(readyCondition(a), 'lastTransitionTime'), stringAt(readyCondition(b), 'lastTransitionTime')) ||
    restartsOf(a) - restartsOf(b) ||
    compare(stringAt(a, 'metadata', 'creationTimestamp'), stringAt(b, 'metadata', 'creationTimestamp')) ||
    compare(stringAt(a, 'metadata', 'name'), stringAt(b, 'metadata', 'name'))
  );
}

function restartsOf(pod: ValueMap): number {
  return Math.max(0, ...listAt(pod, 'status', 'containerStatuses').map(status => Number(valueAt(status, 'restartCount') ?? 0)));
}
