import { listAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';

/** What is evaluated: the pod, or the template of a workload. */
export interface CheckedPod {
  readonly metadata: ValueMap | undefined;
  readonly spec: ValueMap;
}

/** Why a pod is not allowed: a word for it, and what exactly. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** One rule at one version of it; undefined when the pod keeps it. */
export type Check = (pod: CheckedPod) => Violation | undefined;

/** Init containers first, then containers, then ephemeral ones. */
export function containersOf({ spec }: CheckedPod): Value[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap(list => listAt(spec, list));
}

/** Returns a value in the security context of a container. */
export function inContext(container: Value, ...path: readonly string[]): Value | undefined {
  return valueAt(container, 'securityContext', ...path);
}

export function namesOf(containers: readonly Value[]): string[] {
  return containers.map(container => stringAt(container, 'name'));
}

/** `container "a"`, `containers "a", "b"` */
export function counted(singular: string, names: readonly string[]): string {
  return `${plural(singular, names)} ${quoted(names)}`;
}

export function plural(singular: string, items: readonly unknown[]): string {
  return items.length === 1 ? singular : `${singular}s`;
}

/** `"a", "b"`: nothing is escaped. */
export function quoted(items: readonly string[]): string {
  return items.map(item => `"${item}"`).join(', ');
}

/** Each once, sorted. */
export function sorted(items: readonly string[]): string[] {
  return [...new Set(items)].sort();
}

/** `pod and container "c"`: who sets something, of the pod and the containers. */
export function setters(ofPod: boolean, containers: readonly Value[]): string[] {
  return [...(ofPod ? ['pod'] : []), ...(containers.length > 0 ? [counted('container', namesOf(containers))] : [])];
}

/** The pod runs in a user namespace: root in it is not root outside. */
export function hasUserNamespace({ spec }: CheckedPod): boolean {
  return spec.get('hostUsers') === false;
}

export function isWindows({ spec }: CheckedPod): boolean {
  return stringAt(spec, 'os', 'name') === 'windows';
}
