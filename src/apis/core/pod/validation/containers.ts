import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
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
export function checkContainers(containers: FieldPath, context: PodContext): void {
  if (containers.length() === 0) {
    containers.required();
    return;
  }
  const names = new Set<string>();
  for (const container of containers.items()) {
    checkContainer(container, context);
    takeName(container, names);
    checkLifecycle(container.child('lifecycle'), context);
    checkProbes(container, context);
    checkContainerRestart(container);
  }
  checkHostPorts(containers.items());
}

/** Source: validateInitContainers. */
export function checkInitContainers(spec: FieldPath, context: PodContext): void {
  const containers = spec.child('initContainers');
  const names = new Set(spec.items('containers').map(container => container.text('name')));
  for (const container of containers.items()) {
    checkContainer(container, context);
    const restartsAlways = container.text('restartPolicy') === 'Always';
    checkInitContainerRestart(container);
    takeName(container, names);
    checkHostPorts([container], containers);
    if (restartsAlways) {
      checkLifecycle(container.child('lifecycle'), context);
      checkProbes(container, context);
      continue;
    }
    for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'])
      if (container.has(name)) container.child(name).forbidden('may not be set for init containers without restartPolicy=Always');
    for (const policy of container.items('resizePolicy').map(p => p.child('restartPolicy')))
      if (spec.server.since('v1.36') && policy.text() === 'RestartContainer')
        policy.invalid("must not be set to 'RestartContainer' for non-sidecar initContainers");
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
export function checkEphemeralContainers(spec: FieldPath, context: PodContext): void {
  const others = new Set([...spec.items('containers'), ...spec.items('initContainers')].map(container => container.text('name')));
  const names = new Set(others);
  for (const container of spec.items('ephemeralContainers')) {
    checkContainer(container, context);
    checkImageSpaces(container);
    takeName(container, names, true);
    const target = container.child('targetContainerName');
    if (target.text() !== '' && !others.has(target.text())) target.notFound();
    for (const name of ephemeralForbidden)
      if (isGiven(container.child(name))) container.child(name).forbidden('cannot be set for an Ephemeral Container');
    for (const path of container.items('volumeMounts').flatMap(mount => [mount.child('subPath'), mount.child('subPathExpr')]))
      if (path.text() !== '') path.forbidden('cannot be set for an Ephemeral Container');
  }
}

function isGiven(field: FieldPath): boolean {
  return field.isSet() && !(field.value instanceof Map && field.value.size === 0);
}

/** Validates spaces around an image's name: only in pods, not in templates. Source: validateContainerOnlyForPod. */
export function checkImageSpaces(container: FieldPath): void {
  const image = container.child('image');
  if (image.text().trim() !== image.text()) image.invalid('must not have leading or trailing whitespace');
}

function checkContainer(container: FieldPath, context: PodContext): void {
  const [name, image] = [container.child('name'), container.child('image')];
  if (name.text() === '') name.required();
  else checkName(name, dns1123LabelProblems);
  if (image.text() === '') image.required();
  checkOneOf(container.child('terminationMessagePolicy'), ['File', 'FallbackToLogsOnError']);
  checkContainerPorts(container.child('ports'));
  checkEnv(container.child('env'));
  checkEnvFrom(container.child('envFrom'));
  checkVolumeMounts(container, context);
  checkVolumeDevices(container, context);
  checkOneOf(container.child('imagePullPolicy'), ['Always', 'IfNotPresent', 'Never']);
  checkResources(container.child('resources'), context.claimNames);
  checkResizePolicy(container.child('resizePolicy'), context.spec.text('restartPolicy'));
  checkSecurityContext(container.child('securityContext'), context.hostUsers);
}

function takeName(container: FieldPath, names: Set<string>, evenEmpty = false): void {
  const name = container.child('name');
  if (names.has(name.text())) name.duplicate();
  else if (evenEmpty || name.text() !== '' || container.path.includes('.containers[')) names.add(name.text());
}

function checkContainerPorts(ports: FieldPath): void {
  const names = new Set<string>();
  for (const port of ports.items()) {
    const [name, number, host] = [port.child('name'), port.child('containerPort'), port.child('hostPort')];
    if (name.text() !== '') {
      const problems = portNameProblems(name.text());
      name.invalidEach(problems);
      if (problems.length === 0 && names.has(name.text())) name.duplicate();
      if (problems.length === 0) names.add(name.text());
    }
    if (number.number() === 0n) number.required();
    else checkPort(number);
    if (host.number() !== 0n) checkPort(host);
    checkOneOf(port.child('protocol'), ['SCTP', 'TCP', 'UDP']);
  }
}

/** Validates that host ports are unique. Source: AccumulateUniqueHostPorts. */
function checkHostPorts(containers: readonly FieldPath[], shownIn?: FieldPath): void {
  const taken = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [portIndex, port] of container.items('ports').entries()) {
      const number = port.number('hostPort');
      if (number === 0n) continue;
      const key = `${port.text('protocol')}/${port.text('hostIP')}/${number}`;
      // A single init container has the path of the first item.
      const path = shownIn === undefined ? port.path : `${shownIn.path}[${index}].ports[${portIndex}]`;
      if (taken.has(key)) port.shownAt(`${path}.hostPort`).duplicate(key);
      taken.add(key);
    }
  }
}

function checkResizePolicy(policies: FieldPath, podRestartPolicy: string): void {
  const seen = new Set<string>();
  for (const policy of policies.items()) {
    const [resource, restart] = [policy.text('resourceName'), policy.text('restartPolicy')];
    if (seen.has(resource)) policy.duplicate(resource);
    seen.add(resource);
    for (const [value, known] of [
      [resource, ['cpu', 'memory']],
      [restart, ['NotRequired', 'RestartContainer']],
    ] as const)
      checkOneOf(policies.withValue(value), known);
    if (podRestartPolicy === 'Never' && restart !== 'NotRequired')
      policies.invalid(restart, `must be 'NotRequired' when ${policies.server.since('v1.36') ? 'pod ' : ''}\`restartPolicy\` is 'Never'`);
  }
}

/** Validates a container's own restart policy. Source: validateContainerRestartPolicy. */
function checkContainerRestart(container: FieldPath): void {
  const [policy, rules] = [container.child('restartPolicy'), container.child('restartPolicyRules')];
  if (!container.server.isEnabled('ContainerRestartRules')) {
    if (policy.isSet()) policy.forbidden('may not be set for non-init containers');
    return;
  }
  if (policy.isSet()) checkKnown(policy, ['Always', 'Never', 'OnFailure']);
  else if (rules.length() > 0) policy.required('must specify restartPolicy when restart rules are used');
  checkRules(rules);
}

/** Source: validateInitContainerRestartPolicy. */
function checkInitContainerRestart(container: FieldPath): void {
  const [policy, rules] = [container.child('restartPolicy'), container.child('restartPolicyRules')];
  if (!policy.isSet()) {
    if (rules.length() > 0 && container.server.since('v1.35')) policy.required('must specify restartPolicy when restart rules are used');
    return;
  }
  if (!container.server.isEnabled('ContainerRestartRules')) {
    if (policy.text() !== 'Always') policy.notSupported(['Always']);
  } else if (policy.text() !== 'Always' || container.server.isEnabled('RestartAllContainersOnContainerExits'))
    checkContainerRestart(container);
  else if (rules.length() > 0) rules.forbidden('restartPolicyRules are not allowed for init containers with restart policy Always');
}

function checkRules(rules: FieldPath): void {
  if (rules.length() > 20) addTooMany(rules, 20);
  const actions = rules.server.isEnabled('RestartAllContainersOnContainerExits') ? ['Restart', 'RestartAllContainers'] : ['Restart'];
  for (const rule of rules.items()) {
    const action = rule.child('action');
    // v1.35 lists one action regardless of the gate.
    if (!actions.includes(action.text())) action.notSupported(rules.server.since('v1.36') ? actions : ['Restart']);
    const codes = rule.child('exitCodes');
    if (!codes.isSet()) {
      codes.required('must be specified');
      continue;
    }
    const [operator, values] = [codes.child('operator'), codes.child('values')];
    if (!['In', 'NotIn'].includes(operator.text())) operator.notSupported(['In', 'NotIn']);
    if (values.length() > 255) addTooMany(values, 255);
  }
}

function addTooMany(list: FieldPath, max: number): void {
  list.errors.push(list.server.since('v1.36') ? tooMany(list.path, list.length(), max) : tooLong(list.path, max));
}
