import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../../apiserver/registry/validation/kind-rules.js';
import { isKnownValid } from '../../../../apiserver/registry/validation/valid-member.js';
import { checkImageSpaces } from './containers.js';
import { checkPodAnnotations, checkProfilesMatch } from './pod-annotations.js';
import { checkPodSpec } from './pod-spec.js';
import { checkAnnotationChanges, checkPodChange } from './pod-update-validation.js';
import { podWarnings } from './pod-warnings.js';

/** Source: core/validation ValidatePodCreate and ValidatePodUpdate. */
export const podRules: KindRules = {
  create: pod => {
    checkPod(pod);
    const spec = pod.child('spec');
    if (spec.child('ephemeralContainers').length() > 0) spec.child('ephemeralContainers').forbidden('cannot be set on create');
    if (spec.text('nodeName') !== '' && spec.child('schedulingGates').length() > 0)
      spec.child('nodeName').forbidden('cannot be set until all schedulingGates have been cleared');
    checkProfilesMatch(pod.child('metadata', 'annotations'), spec);
  },
  update: ['changes', 'metadata', checkUpdatedPod],
  warnings: podWarnings,
};

function checkUpdatedPod(pod: FieldPath, old: FieldPath): void {
  if (isSameSpec(pod, old)) {
    checkPodAnnotations(pod.child('metadata', 'annotations'), pod.child('spec'));
    checkAnnotationChanges(pod, old);
  } else {
    checkPod(pod);
    checkPodChange(pod, old);
  }
}

/**
 * Reports whether an update leaves the spec of a pod as it is in the store, where it is valid: that depends on the spec and on the pod's name, which an update
 * does not change.
 */
function isSameSpec(pod: FieldPath, old: FieldPath): boolean {
  return pod.text('metadata', 'name') === old.text('metadata', 'name') && isKnownValid(pod.child('spec'), old.child('spec'));
}

/** Validates a pod's annotations and spec. Source: validatePodMetadataAndSpec. */
export function checkPod(pod: FieldPath): void {
  const spec = pod.child('spec');
  const annotations = pod.child('metadata', 'annotations');
  checkPodAnnotations(annotations, spec);
  checkPodSpec(spec, { isPod: true, podName: pod.text('metadata', 'name'), annotations });
  if (spec.text('serviceAccountName') === '') checkNoTokens(spec);
  for (const container of [...spec.items('containers'), ...spec.items('initContainers')]) checkImageSpaces(container);
}

function checkNoTokens(spec: FieldPath): void {
  for (const source of spec.items('volumes').flatMap(volume => volume.items('projected', 'sources'))) {
    const token = source.child('serviceAccountToken');
    if (token.value instanceof Map) token.forbidden('must not be specified when serviceAccountName is not set');
  }
}
