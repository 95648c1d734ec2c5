import { annotationErrors } from '../../../../apiserver/registry/object-meta.js';
import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkLabels } from '../../../../apiserver/registry/validation/rules.js';
import { checkPodAnnotations, checkProfilesMatch } from './pod-annotations.js';
import { checkPodSpec } from './pod-spec.js';

/** Validates a pod template; errors about its metadata leave `metadata` out of the path. Source: ValidatePodTemplateSpec. */
export function checkPodTemplate(template: FieldPath): void {
  const spec = template.child('spec');
  const [labels, annotations] = ['labels', 'annotations'].map(name => template.child('metadata', name).shownAt(`${template.path}.${name}`));
  if (labels === undefined || annotations === undefined) return;
  checkLabels(labels);
  template.add(annotationErrors(template.server, annotations.members(), annotations.path));
  checkPodAnnotations(annotations, spec);
  checkPodSpec(spec, { isPod: false, podName: '', annotations });
  checkProfilesMatch(annotations, spec);
  const ephemeral = spec.child('ephemeralContainers');
  if (ephemeral.length() > 0) ephemeral.forbidden('ephemeral containers not allowed in pod template');
}
