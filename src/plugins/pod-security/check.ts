import { listAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';

/** Checked pod, or template of a workload. */
export interface CheckedPod {
  readonly metadata: ValueMap | undefined;
  readonly spec: ValueMap;
}

/** Reason why a pod is not allowed, and its details. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** Check of one rule in one version; returns undefined when the pod complies. */
export type Check = (pod: CheckedPod) => Violation | undefined;

/** Returns init containers, then containers, then ephemeral ones. */
export function containersOfPod({ spec }: CheckedPod): Value[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap(list => listAt(spec, list));
}

/** Returns a value in the security context of a container. */
export function inContext(container: Value, ...path: readonly string[]): Value | undefined {
  return valueAt(container, 'securityContext', ...path);
}

export function checkedNamesOf(containers: readonly Value[]): string[] {
  return containers.map(container => stringAt(container, 'name'));
}

/** Returns `container "a"` or `containers "a", "b"`. */
export function countedNames(singular: string, names: readonly string[]): string {
  return `${plural(singular, names)} ${quoted(names)}`;
}

export function plural(singular: string, items: readonly unknown[]): string {
  return items.length === 1 ? singular : `${singular}s`;
}

/** Returns `"a", "b"`, unescaped. */
export function quoted(items: readonly string[]): string {
  return items.map(item => `"${item}"`).join(', ');
}

/** Returns sorted unique items. */
export function sorted(items: readonly string[]): string[] {
  return [...new Set(items)].sort();
}

/** Returns the objects that set something, of the pod and the containers: `pod and container "c"`. */
export function setters(ofPod: boolean, containers: readonly Value[]): string[] {
  return [...(ofPod ? ['pod'] : []), ...(containers.length > 0 ? [countedNames('container', checkedNamesOf(containers))] : [])];
}

/** Reports whether the pod runs in a user namespace, where root is not root on the host. */
export function hasUserNamespace({ spec }: CheckedPod): boolean {
  return spec.get('hostUsers') === false;
}

export function isWindows({ spec }: CheckedPod): boolean {
  return stringAt(spec, 'os', 'name') === 'windows';
}
