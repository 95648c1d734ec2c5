import { listAt, mapAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../../kubernetes/value.js';
import type { Handler, HandlerAnswer } from '../handler.js';

/** Every pod gets this label. Change it, and the diff that review prints changes. */
const label = { key: 'demo.webhook-cli.dev/reviewed', value: 'yes' };

/** A pod asks for the sidecar, and to be kept, with these annotations. */
const sidecarAnnotation = 'demo.webhook-cli.dev/sidecar';
const protectedAnnotation = 'demo.webhook-cli.dev/protected';

const sidecar = {
  name: 'demo-sidecar',
  image: 'registry.example.com/demo-sidecar:1.0.0',
  args: ['--log-to-stdout'],
  resources: { limits: { cpu: '50m', memory: '32Mi' } },
};

/**
 * A webhook as one would write it for a team's cluster. Mutating: labels pods, adds a sidecar to those that ask for it.
 * Validating: refuses privileged containers and images without a version, keeps protected pods from being deleted, and
 * warns about containers without limits. Asked twice it changes nothing more; it has no side effects; it lets everything pass
 * that is no pod.
 */
export const demo: Handler = (request, phase) => {
  if (stringAt(request, 'resource', 'group') !== '' || stringAt(request, 'resource', 'resource') !== 'pods') return { allowed: true };
  if (stringAt(request, 'operation') === 'DELETE') return phase === 'validating' ? mayBeDeleted(request) : { allowed: true };
  const pod = mapAt(request, 'object');
  if (pod === undefined || stringAt(pod, 'kind') !== 'Pod') return { allowed: true };
  if (phase === 'validating') return validate(pod);
  // The pod's labels and containers cannot be changed through a subresource.
  return stringAt(request, 'subResource') === '' ? mutate(pod, stringAt(request, 'operation')) : { allowed: true };
};

function mayBeDeleted(request: ValueMap): HandlerAnswer {
  const pod = mapAt(request, 'oldObject');
  if (stringAt(pod, 'metadata', 'annotations', protectedAnnotation) !== 'true') return { allowed: true };
  return refusal(`pod ${JSON.stringify(stringAt(request, 'name'))} is protected: remove the annotation ${protectedAnnotation} first`);
}

function mutate(pod: ValueMap, operation: string): HandlerAnswer {
  // The containers of a pod cannot be changed once it exists.
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

/** A tag other than `latest`, or a digest. A colon before the last slash is that of a registry's port. */
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

/** A key as a part of a JSON pointer. */
function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
