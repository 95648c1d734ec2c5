import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addNotFound,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkKnown, checkName, checkOneOf, checkPort } from '../../../../apiserver/registry/validation/rules.js';
import { tooLong, tooMany } from '../../../../kubernetes/field-error.js';
import { dns1123LabelProblems, portNameProblems } from '../../../../kubernetes/name-rules.js';
import { checkEnv, checkEnvFrom } from './container-env.js';
import { checkLifecycle, checkProbes } from './container-handlers.js';
import { checkResources } from './container-resources.js';
import type { PodContext } from './pod-context.js';
import { checkSecurityContext } from './security-context.js';
import { checkVolumeDevices, checkVolumeMounts } from './volume-mounts.js';

/** Source: core/validation validateContainers. */
export function checkContainers(containers: Place, context: PodContext): void {
  if (lengthOf(containers) === 0) {
    addRequired(containers);
    return;
  }
  const names = new Set<string>();
  for (const container of indexed(containers)) {
    checkContainer(container, context);
    takeName(container, names);
    checkLifecycle(at(container, 'lifecycle'), context);
    checkProbes(container, context);
    checkContainerRestart(container);
  }
  checkHostPorts(indexed(containers));
}

/** Source: validateInitContainers. */
export function checkInitContainers(spec: Place, context: PodContext): void {
  const containers = at(spec, 'initContainers');
  const names = new Set(itemsAt(spec, 'containers').map(container => textAt(container, 'name')));
  for (const container of indexed(containers)) {
    checkContainer(container, context);
    const restartsAlways = textAt(container, 'restartPolicy') === 'Always';
    checkInitContainerRestart(container);
    takeName(container, names);
    checkHostPorts([container], containers);
    if (restartsAlways) {
      checkLifecycle(at(container, 'lifecycle'), context);
      checkProbes(container, context);
      continue;
    }
    for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'])
      if (hasSet(container, name)) addForbidden(at(container, name), 'may not be set for init containers without restartPolicy=Always');
    for (const policy of itemsAt(container, 'resizePolicy').map(p => at(p, 'restartPolicy')))
      if (spec.server.since('v1.36') && textOf(policy) === 'RestartContainer')
        addInvalid(policy, "must not be set to 'RestartContainer' for non-sidecar initContainers");
  }
}

const ephemeralForbidden = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
];

/** Source: validateEphemeralContainers. */
export function checkEphemeralContainers(spec: Place, context: PodContext): void {
  const others = new Set([...itemsAt(spec, 'containers'), ...itemsAt(spec, 'initContainers')].map(container => textAt(container, 'name')));
  const names = new Set(others);
  for (const container of itemsAt(spec, 'ephemeralContainers')) {
    checkContainer(container, context);
    checkImageSpaces(container);
    takeName(container, names, true);
    const target = at(container, 'targetContainerName');
    if (textOf(target) !== '' && !others.has(textOf(target))) addNotFound(target);
    for (const name of ephemeralForbidden)
      if (isGiven(at(container, name))) addForbidden(at(container, name), 'cannot be set for an Ephemeral Container');
    for (const path of itemsAt(container, 'volumeMounts').flatMap(mount => [at(mount, 'subPath'), at(mount, 'subPathExpr')]))
      if (textOf(path) !== '') addForbidden(path, 'cannot be set for an Ephemeral Container');
  }
}

function isGiven(place: Place): boolean {
  return isSet(place) && !(place.value instanceof Map && place.value.size === 0);
}

/** Validates spaces around an image's name: only in pods, not in templates. Source: validateContainerOnlyForPod. */
export function checkImageSpaces(container: Place): void {
  const image = at(container, 'image');
  if (textOf(image).trim() !== textOf(image)) addInvalid(image, 'must not have leading or trailing whitespace');
}

function checkContainer(container: Place, context: PodContext): void {
  const [name, image] = [at(container, 'name'), at(container, 'image')];
  if (textOf(name) === '') addRequired(name);
  else checkName(name, dns1123LabelProblems);
  if (textOf(image) === '') addRequired(image);
  checkOneOf(at(container, 'terminationMessagePolicy'), ['File', 'FallbackToLogsOnError']);
  checkContainerPorts(at(container, 'ports'));
  checkEnv(at(container, 'env'));
  checkEnvFrom(at(container, 'envFrom'));
  checkVolumeMounts(container, context);
  checkVolumeDevices(container, context);
  checkOneOf(at(container, 'imagePullPolicy'), ['Always', 'IfNotPresent', 'Never']);
  checkResources(at(container, 'resources'), context.claimNames);
  checkResizePolicy(at(container, 'resizePolicy'), textAt(context.spec, 'restartPolicy'));
  checkSecurityContext(at(container, 'securityContext'), context.hostUsers);
}

function takeName(container: Place, names: Set<string>, evenEmpty = false): void {
  const name = at(container, 'name');
  if (names.has(textOf(name))) addDuplicate(name);
  else if (evenEmpty || textOf(name) !== '' || container.path.includes('.containers[')) names.add(textOf(name));
}

function checkContainerPorts(ports: Place): void {
  const names = new Set<string>();
  for (const port of indexed(ports)) {
    const [name, number, host] = [at(port, 'name'), at(port, 'containerPort'), at(port, 'hostPort')];
    if (textOf(name) !== '') {
      const problems = portNameProblems(textOf(name));
      addProblems(name, problems);
      if (problems.length === 0 && names.has(textOf(name))) addDuplicate(name);
      if (problems.length === 0) names.add(textOf(name));
    }
    if (numberOf(number) === 0n) addRequired(number);
    else checkPort(number);
    if (numberOf(host) !== 0n) checkPort(host);
    checkOneOf(at(port, 'protocol'), ['SCTP', 'TCP', 'UDP']);
  }
}

/** Validates that host ports are unique. Source: AccumulateUniqueHostPorts. */
function checkHostPorts(containers: readonly Place[], shownIn?: Place): void {
  const taken = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [portIndex, port] of itemsAt(container, 'ports').entries()) {
      const number = numberAt(port, 'hostPort');
      if (number === 0n) continue;
      const key = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${number}`;
      // A single init container has the path of the first item.
      const path = shownIn === undefined ? port.path : `${shownIn.path}[${index}].ports[${portIndex}]`;
      if (taken.has(key)) addDuplicate({ ...port, path: `${path}.hostPort` }, key);
      taken.add(key);
    }
  }
}

function checkResizePolicy(policies: Place, podRestartPolicy: string): void {
  const seen = new Set<string>();
  for (const policy of indexed(policies)) {
    const [resource, restart] = [textAt(policy, 'resourceName'), textAt(policy, 'restartPolicy')];
    if (seen.has(resource)) addDuplicate(policy, resource);
    seen.add(resource);
    for (const [value, known] of [
      [resource, ['cpu', 'memory']],
      [restart, ['NotRequired', 'RestartContainer']],
    ] as const)
      checkOneOf({ ...policies, value }, known);
    if (podRestartPolicy === 'Never' && restart !== 'NotRequired')
      addInvalid(
        policies,
        `must be 'NotRequired' when ${policies.server.since('v1.36') ? 'pod ' : ''}\`restartPolicy\` is 'Never'`,
        restart,
      );
  }
}

/** Validates a container's own restart policy. Source: validateContainerRestartPolicy. */
function checkContainerRestart(container: Place): void {
  const [policy, rules] = [at(container, 'restartPolicy'), at(container, 'restartPolicyRules')];
  if (!container.server.isEnabled('ContainerRestartRules')) {
    if (isSet(policy)) addForbidden(policy, 'may not be set for non-init containers');
    return;
  }
  if (isSet(policy)) checkKnown(policy, ['Always', 'Never', 'OnFailure']);
  else if (lengthOf(rules) > 0) addRequired(policy, 'must specify restartPolicy when restart rules are used');
  checkRules(rules);
}

/** Source: validateInitContainerRestartPolicy. */
function checkInitContainerRestart(container: Place): void {
  const [policy, rules] = [at(container, 'restartPolicy'), at(container, 'restartPolicyRules')];
  if (!isSet(policy)) {
    if (lengthOf(rules) > 0 && container.server.since('v1.35'))
      addRequired(policy, 'must specify restartPolicy when restart rules are used');
    return;
  }
  if (!container.server.isEnabled('ContainerRestartRules')) {
    if (textOf(policy) !== 'Always') addUnsupported(policy, ['Always']);
  } else if (textOf(policy) !== 'Always' || container.server.isEnabled('RestartAllContainersOnContainerExits'))
    checkContainerRestart(container);
  else if (lengthOf(rules) > 0) addForbidden(rules, 'restartPolicyRules are not allowed for init containers with restart policy Always');
}

function checkRules(rules: Place): void {
  if (lengthOf(rules) > 20) addTooMany(rules, 20);
  const actions = rules.server.isEnabled('RestartAllContainersOnContainerExits') ? ['Restart', 'RestartAllContainers'] : ['Restart'];
  for (const rule of indexed(rules)) {
    const action = at(rule, 'action');
    // v1.35 lists one action regardless of the gate.
    if (!actions.includes(textOf(action))) addUnsupported(action, rules.server.since('v1.36') ? actions : ['Restart']);
    const codes = at(rule, 'exitCodes');
    if (!isSet(codes)) {
      addRequired(codes, 'must be specified');
      continue;
    }
    const [operator, values] = [at(codes, 'operator'), at(codes, 'values')];
    if (!['In', 'NotIn'].includes(textOf(operator))) addUnsupported(operator, ['In', 'NotIn']);
    if (lengthOf(values) > 255) addTooMany(values, 255);
  }
}

function addTooMany(list: Place, max: number): void {
  list.errors.push(list.server.since('v1.36') ? tooMany(list.path, lengthOf(list), max) : tooLong(list.path, max));
}
