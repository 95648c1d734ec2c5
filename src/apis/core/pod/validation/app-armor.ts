import { ensureMap, isMap, listAt, mapAt, stringAt, toValue, type ValueMap } from '../../../../go/value.js';
import { trimSpace } from '../../../../go/white-space.js';

/** Prefix of the annotations that gave containers AppArmor profiles before v1.30; the name of the container follows. */
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

/** Warning about such an annotation, after its path. */
export const appArmorDeprecation = 'deprecated since v1.30; use the "appArmorProfile" field instead';

/** An AppArmor profile of a container or pod. */
export interface AppArmorProfile {
  readonly type: string;
  readonly localhostProfile?: string;
}

/** Returns the profile that an annotation means; undefined for an unknown one. Source: kubernetes pkg/api/pod/util.go ApparmorFieldForAnnotation. */
export function annotatedAppArmorProfile(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  const prefix = 'localhost/';
  return annotation.startsWith(prefix) && annotation !== prefix
    ? { type: 'Localhost', localhostProfile: annotation.slice(prefix.length) }
    : undefined;
}

/** Returns whether a field has a profile. */
export function isAppArmorProfile(field: ValueMap | undefined, { type, localhostProfile = '' }: AppArmorProfile): boolean {
  return stringAt(field, 'type') === type && stringAt(field, 'localhostProfile') === localhostProfile;
}

/**
 * Copies the profiles of a new pod's annotations to containers without one, and adds a warning for each annotation that no field agrees with:
 * it is sent with a refusal, too. Source: kubernetes pkg/registry/core/pod/strategy.go applyAppArmorVersionSkew.
 */
export function copyAppArmorAnnotations(pod: ValueMap, warnings: string[]): void {
  if (stringAt(pod, 'spec', 'os', 'name') === 'windows') return;
  const annotations = mapAt(pod, 'metadata', 'annotations');
  const ofPod = mapAt(pod, 'spec', 'securityContext', 'appArmorProfile');
  for (const container of ['initContainers', 'containers', 'ephemeralContainers'].flatMap(list => listAt(pod, 'spec', list))) {
    const key = `${appArmorPrefix}${stringAt(container, 'name')}`;
    if (!isMap(container) || annotations?.has(key) !== true) continue;
    if (mapAt(container, 'securityContext', 'appArmorProfile') !== undefined) continue;
    const profile = validProfile(stringAt(annotations, key));
    if (profile !== undefined && isAppArmorProfile(ofPod, profile)) continue;
    if (profile !== undefined) ensureMap(container, 'securityContext').set('appArmorProfile', toValue(profile));
    warnings.push(`metadata.annotations[${key}]: ${appArmorDeprecation}`);
  }
}

/** PATH_MAX - 1. */
const maxProfileBytes = 4095;

/** Returns the profile of an annotation, unless the field would not be valid. */
function validProfile(annotation: string): AppArmorProfile | undefined {
  const profile = annotatedAppArmorProfile(annotation);
  const path = profile?.localhostProfile ?? '';
  return trimSpace(path) === path && Buffer.byteLength(path) <= maxProfileBytes ? profile : undefined;
}
