import { isMap, listAt, mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import { kindOf } from '../../../kubernetes/storage.js';
import { isSecretName, isSecretValue } from '../../../redaction/secret-names.js';
import { configuredServices } from '../../work/webhooks/configured-services.js';
import type { FoundObjects } from './found-objects.js';
import { objectsOfProject } from './new-files.js';

/**
 * Returns the variables with literal values that the project's manifests set for the container of the webhook: that of the workload which a
 * Service in the configurations selects, or which has its name. Left out are secrets, paths of mounted volumes, which only exist in the
 * container, and what describes the container itself.
 */
export function containerEnvironment(found: FoundObjects): Readonly<Record<string, string>> {
  return literalsOf(webhookContainer(found)?.container);
}

/** The container of a webhook, and the port at which it serves it. */
export interface WebhookContainer {
  readonly container: ValueMap;
  readonly port: string | undefined;
}

/** Returns the container of the webhook in the project's manifests; undefined if they show none. */
export function webhookContainer(found: FoundObjects): WebhookContainer | undefined {
  const objects = [...found.configurations, ...found.candidates].flatMap(({ manifests }) => manifests.map(({ object }) => object));
  const configured = configuredServices(objectsOfProject(found)).map(service => service.replace(/:\d+$/, ''));
  for (const service of new Set(configured)) {
    const workload = workloadOf(service, objects);
    const container = workload === undefined ? undefined : containerOf(workload, serviceNamed(service, objects));
    if (container !== undefined) return { container, port: portOf(container, serviceNamed(service, objects)) };
  }
  return undefined;
}

const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet'];

function workloadOf(service: string, objects: readonly ValueMap[]): ValueMap | undefined {
  const workloads = objects.filter(object => workloadKinds.includes(kindOf(object).kind));
  const selector = [...(mapAt(serviceNamed(service, objects), 'spec', 'selector') ?? [])];
  const isSelected = (workload: ValueMap): boolean => {
    const labels = mapAt(workload, 'spec', 'template', 'metadata', 'labels');
    return selector.length > 0 && selector.every(([name, value]) => labels?.get(name) === value);
  };
  const name = service.replace(/^.*\//, '');
  return workloads.find(isSelected) ?? workloads.find(workload => stringAt(workload, 'metadata', 'name') === name);
}

/** Manifests often leave the namespace to the command that applies them. */
function serviceNamed(service: string, objects: readonly ValueMap[]): ValueMap | undefined {
  const [namespace, name] = service.split('/');
  return objects.find(
    object =>
      kindOf(object).kind === 'Service' &&
      stringAt(object, 'metadata', 'name') === name &&
      [namespace, ''].includes(stringAt(object, 'metadata', 'namespace')),
  );
}

/** Returns the container with the port of the Service, or else the first one. */
function containerOf(workload: ValueMap, service: ValueMap | undefined): ValueMap | undefined {
  const containers = listAt(workload, 'spec', 'template', 'spec', 'containers').filter(isMap);
  return containers.find(container => targetedPorts(container, service).length > 0) ?? containers[0];
}

/** Returns the number of the port of a container to which a Service sends, if there is one. */
function portOf(container: ValueMap, service: ValueMap | undefined): string | undefined {
  const [port, another] = targetedPorts(container, service).map(one => one.get('containerPort'));
  return typeof port === 'bigint' && another === undefined ? String(port) : undefined;
}

function targetedPorts(container: ValueMap, service: ValueMap | undefined): ValueMap[] {
  const targets = listAt(service, 'spec', 'ports').flatMap(port => (isMap(port) ? [port.get('targetPort') ?? port.get('port')] : []));
  return listAt(container, 'ports')
    .filter(isMap)
    .filter(port => [port.get('containerPort'), port.get('name')].some(own => targets.includes(own)));
}

const ofContainers = /^(PATH|HOME|PWD|USER|TMPDIR|HOSTNAME|KUBECONFIG|.*_HOME|LD_.*|KUBERNETES_.*|((https?|no|all)_proxy))$/i;

/** No process can have others. Source: apimachinery IsEnvVarName. */
const isVariable = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

function literalsOf(container: ValueMap | undefined): Readonly<Record<string, string>> {
  const mounts = listAt(container, 'volumeMounts').map(mount => stringAt(mount, 'mountPath').replace(/\/+$/, ''));
  const isMounted = (text: string): boolean => mounts.some(mount => mount !== '' && (text === mount || text.startsWith(`${mount}/`)));
  const pairs = listAt(container, 'env').flatMap((variable): [string, string][] => {
    const value = isMap(variable) ? variable.get('value') : undefined;
    return typeof value === 'string' ? [[stringAt(variable, 'name'), value]] : [];
  });
  // `$(NAME)` and `${NAME}` have values of the cluster, or of the program that fills the template.
  const isUsable = ([name, value]: [string, string]): boolean =>
    isVariable.test(name) &&
    !value.includes('\0') &&
    !ofContainers.test(name) &&
    !(isSecretName(name) && isSecretValue(name, value)) &&
    !isMounted(value) &&
    !/\$[({]|\{\{/.test(value);
  return Object.fromEntries(pairs.filter(isUsable));
}
