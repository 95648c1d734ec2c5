import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';

/** Context of a pod's spec for its parts. */
export interface PodContext {
  readonly spec: FieldPath;
  /** Whether it is a pod rather than a template. */
  readonly isPod: boolean;
  /** Name of the pod, if any. */
  readonly podName: string;
  readonly annotations: FieldPath;
  /** Valid volumes, by name. */
  readonly volumes: ReadonlyMap<string, FieldPath>;
  readonly claimNames: ReadonlySet<string>;
  /** False when the pod has a user namespace of its own. */
  readonly hostUsers: boolean;
}

/** Container lists of a spec in the API server's order: init, ordinary, ephemeral. Source: VisitContainersWithPath. */
export const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Returns the pod's operating system, empty when it names none. */
export function operatingSystem(spec: FieldPath): string {
  return spec.child('os').text('name');
}
