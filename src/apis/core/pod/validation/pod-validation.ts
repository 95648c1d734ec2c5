import type { KindRules } from '../../../../apiserver/registry/validation/kind-rules.js';
import { addForbidden, at, itemsAt, lengthOf, type Place, textAt } from '../../../../apiserver/registry/validation/place.js';
import { checkImageSpaces } from './containers.js';
import { checkPodAnnotations, checkProfilesMatch } from './pod-annotations.js';
import { checkPodSpec } from './pod-spec.js';
import { checkPodChange } from './pod-update-validation.js';
import { podWarnings } from './pod-warnings.js';

/** Source: core/validation ValidatePodCreate and ValidatePodUpdate. */
export const podRules: KindRules = {
  create: pod => {
    checkPod(pod);
    const spec = at(pod, 'spec');
    if (lengthOf(at(spec, 'ephemeralContainers')) > 0) addForbidden(at(spec, 'ephemeralContainers'), 'cannot be set on create');
    if (textAt(spec, 'nodeName') !== '' && lengthOf(at(spec, 'schedulingGates')) > 0)
      addForbidden(at(spec, 'nodeName'), 'cannot be set until all schedulingGates have been cleared');
    checkProfilesMatch(at(pod, 'metadata', 'annotations'), spec);
  },
  update: ['changes', 'metadata', checkPod, checkPodChange],
  warnings: podWarnings,
};

/** Validates a pod's metadata and spec. Source: validatePodMetadataAndSpec. */
export function checkPod(pod: Place): void {
  const spec = at(pod, 'spec');
  const annotations = at(pod, 'metadata', 'annotations');
  checkPodAnnotations(annotations, spec);
  checkPodSpec(spec, { isPod: true, podName: textAt(pod, 'metadata', 'name'), annotations });
  if (textAt(spec, 'serviceAccountName') === '') checkNoTokens(spec);
  for (const container of [...itemsAt(spec, 'containers'), ...itemsAt(spec, 'initContainers')]) checkImageSpaces(container);
}

function checkNoTokens(spec: Place): void {
  for (const source of itemsAt(spec, 'volumes').flatMap(volume => itemsAt(volume, 'projected', 'sources'))) {
    const token = at(source, 'serviceAccountToken');
    if (token.value instanceof Map) addForbidden(token, 'must not be specified when serviceAccountName is not set');
  }
}
