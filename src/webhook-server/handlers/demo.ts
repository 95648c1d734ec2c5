import { ownMember } from '../../go/own-members.js';
import { listAt, mapAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { HandlerAnswer, HandlerCase } from '../handler.js';

/** Label for every pod. Changing it changes the diff that review prints. */
const label = { key: 'demo.webhook-cli.dev/reviewed', value: 'yes' };

/** Annotations by which a pod requests the sidecar and protection from deletion. */
const sidecarAnnotation = 'demo.webhook-cli.dev/sidecar';
const protectedAnnotation = 'demo.webhook-cli.dev/protected';

const sidecar = {
  name: 'demo-sidecar',
  image: 'registry.example.com/demo-sidecar:1.0.0',
  args: ['--log-to-stdout'],
  resources: { limits: { cpu: '50m', memory: '32Mi' } },
};

/** Max replicas; more are assumed to be a mistake. */
const mostReplicas = 50n;

/** Max lifetime of tokens: one day. */
const longestToken = 86_400n;

/**
 * Example webhook for a team's cluster. Mutating: labels pods, adds a sidecar on request. Validating: refuses privileged containers and
 * images without a version, also in ephemeral containers; protects marked pods from deletion; refuses terminals in running pods, hundreds
 * of replicas and long-lived tokens; and warns about containers without limits. It is idempotent and has no side effects; all other
 * requests pass.
 */
export const demo: HandlerCase = (request, phase) => {
  if (phase === 'validating') return ownMember(validators, endpointOf(request))?.(request) ?? { allowed: true };
  // Subresources of a stored pod are changed by their owners.
  if (endpointOf(request) !== 'pods' || stringAt(request, 'operation') === 'DELETE') return { allowed: true };
  const pod = podIn(request);
  return pod === undefined ? { allowed: true } : mutate(pod, stringAt(request, 'operation'));
};

/** Validators by resource and subresource; each returns the reason for a refusal, or undefined. */
const validators: Readonly<Record<string, (request: ValueMap) => HandlerAnswer | undefined>> = {
  pods: request => (stringAt(request, 'operation') === 'DELETE' ? mayBeDeleted(request) : podAnswer(request)),
  'pods/ephemeralcontainers': podAnswer,
  'pods/resize': podAnswer,
  'pods/exec': mayBeEntered,
  'pods/attach': mayBeEntered,
  'deployments/scale': mayBeScaled,
  'replicasets/scale': mayBeScaled,
  'statefulsets/scale': mayBeScaled,
  'replicationcontrollers/scale': mayBeScaled,
  'serviceaccounts/token': mayBeIssued,
};

function endpointOf(request: ValueMap): string {
  const subresource = stringAt(request, 'subResource');
  const resource = stringAt(request, 'resource', 'resource');
  return subresource === '' ? resource : `${resource}/${subresource}`;
}

function podIn(request: ValueMap): ValueMap | undefined {
  const pod = mapAt(request, 'object');
  return stringAt(pod, 'kind') === 'Pod' ? pod : undefined;
}

function podAnswer(request: ValueMap): HandlerAnswer | undefined {
  const pod = podIn(request);
  return pod === undefined ? undefined : validate(pod);
}

function mayBeDeleted(request: ValueMap): HandlerAnswer | undefined {
  const pod = mapAt(request, 'oldObject');
  if (stringAt(pod, 'metadata', 'annotations', protectedAnnotation) !== 'true') return undefined;
  // Reviews of a collection's deletion have no name.
  const name = JSON.stringify(stringAt(request, 'name') || stringAt(pod, 'metadata', 'name'));
  return refusal(`pod ${name} is protected: remove the annotation ${protectedAnnotation} first`);
}

function mayBeEntered(request: ValueMap): HandlerAnswer | undefined {
  if (valueAt(request, 'object', 'tty') !== true) return undefined;
  return refusal('no terminals in running pods: use kubectl debug');
}

function mayBeScaled(request: ValueMap): HandlerAnswer | undefined {
  const replicas = valueAt(request, 'object', 'spec', 'replicas');
  if (typeof replicas !== 'bigint' || replicas <= mostReplicas) return undefined;
  return refusal(`${replicas} replicas are more than ${mostReplicas}`);
}

function mayBeIssued(request: ValueMap): HandlerAnswer | undefined {
  const seconds = valueAt(request, 'object', 'spec', 'expirationSeconds');
  if (typeof seconds !== 'bigint' || seconds <= longestToken) return undefined;
  return refusal(`a token must not live longer than ${longestToken} seconds`);
}

function mutate(pod: ValueMap, operation: string): HandlerAnswer {
  // The containers of an existing pod cannot be changed.
  const patch = operation === 'CREATE' ? [...labelPatch(pod), ...sidecarPatch(pod)] : labelPatch(pod);
  return { allowed: true, patch: patch.map(toValue) };
}

function labelPatch(pod: ValueMap): object[] {
  if (stringAt(pod, 'metadata', 'labels', label.key) === label.value) return [];
  if (mapAt(pod, 'metadata', 'labels') === undefined) {
    return [{ op: 'add', path: '/metadata/labels', value: { [label.key]: label.value } }];
  }
  return [{ op: 'add', path: `/metadata/labels/${pointerToken(label.key)}`, value: label.value }];
}

function sidecarPatch(pod: ValueMap): object[] {
  const asked = stringAt(pod, 'metadata', 'annotations', sidecarAnnotation) === 'true';
  const present = listAt(pod, 'spec', 'containers').some(container => stringAt(container, 'name') === sidecar.name);
  return asked && !present ? [{ op: 'add', path: '/spec/containers/-', value: sidecar }] : [];
}

function validate(pod: ValueMap): HandlerAnswer {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap(list => listAt(pod, 'spec', list));
  const complaints = containers.flatMap(complaintsAbout);
  if (complaints.length > 0) return refusal(complaints.join('; '));
  return { allowed: true, warnings: listAt(pod, 'spec', 'containers').filter(lacksLimits).map(warningAbout) };
}

function complaintsAbout(container: Value): string[] {
  const name = JSON.stringify(stringAt(container, 'name'));
  const image = stringAt(container, 'image');
  const complaints: string[] = [];
  if (valueAt(container, 'securityContext', 'privileged') === true) complaints.push(`container ${name} must not be privileged`);
  if (!hasVersion(image)) complaints.push(`container ${name} must name a version of its image, not ${JSON.stringify(image)}`);
  return complaints;
}

/** Reports whether an image has a tag other than `latest`, or a digest. A colon before the last slash is that of a registry's port. */
function hasVersion(image: string): boolean {
  if (image.includes('@')) return true;
  const tag = image.slice(image.lastIndexOf('/') + 1).split(':')[1];
  return tag !== undefined && tag !== '' && tag !== 'latest';
}

function lacksLimits(container: Value): boolean {
  const limits = mapAt(container, 'resources', 'limits');
  return limits?.has('cpu') !== true || !limits.has('memory');
}

function warningAbout(container: Value): string {
  return `container ${JSON.stringify(stringAt(container, 'name'))} has no limits for cpu and memory`;
}

function refusal(message: string): HandlerAnswer {
  return { allowed: false, code: 403, reason: 'Forbidden', message };
}

/** Returns a key as a part of a JSON pointer. */
function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
