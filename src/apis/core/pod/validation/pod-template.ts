import { annotationErrors } from '../../../../apiserver/registry/object-meta.js';
import { addForbidden, at, lengthOf, mapOf, type Place } from '../../../../apiserver/registry/validation/place.js';
import { checkLabels } from '../../../../apiserver/registry/validation/rules.js';
import { checkPodAnnotations, checkProfilesMatch } from './pod-annotations.js';
import { checkPodSpec } from './pod-spec.js';

/** Validates a pod template; errors about its metadata leave `metadata` out of the path. Source: ValidatePodTemplateSpec. */
export function checkPodTemplate(template: Place): void {
  const spec = at(template, 'spec');
  const [labels, annotations] = ['labels', 'annotations'].map(name => ({
    ...at(template, 'metadata', name),
    path: `${template.path}.${name}`,
  }));
  if (labels === undefined || annotations === undefined) return;
  checkLabels(labels);
  template.errors.push(...annotationErrors(template.server, mapOf(annotations), annotations.path));
  checkPodAnnotations(annotations, spec);
  checkPodSpec(spec, { isPod: false, podName: '', annotations });
  checkProfilesMatch(annotations, spec);
  const ephemeral = at(spec, 'ephemeralContainers');
  if (lengthOf(ephemeral) > 0) addForbidden(ephemeral, 'ephemeral containers not allowed in pod template');
}
