import { at, type Place, textAt } from '../../../../apiserver/registry/validation/place.js';

/** What the parts of a pod's spec need to know of the rest. */
export interface PodContext {
  readonly spec: Place;
  /** A pod itself rather than the template of one. */
  readonly isPod: boolean;
  /** The pod's name, when it has one. */
  readonly podName: string;
  readonly annotations: Place;
  /** The volumes without faults, by name. */
  readonly volumes: ReadonlyMap<string, Place>;
  readonly claimNames: ReadonlySet<string>;
  /** False: the pod has a user namespace of its own. */
  readonly hostUsers: boolean;
}

/** The containers of a spec in the order the API server visits them: init, ordinary, ephemeral. Source: VisitContainersWithPath. */
export const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Returns the pod's operating system, empty when it names none. */
export function operatingSystem(spec: Place): string {
  return textAt(at(spec, 'os'), 'name');
}
