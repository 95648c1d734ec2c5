import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { at } from '../../../apiserver/registry/validation/place.js';
import { ofChanged } from '../../apps/selected-templates.js';
import { checkPodTemplate } from '../pod/validation/pod-template.js';
import { templateWarnings } from '../pod/validation/pod-warnings.js';

/** Source: core/validation ValidatePodTemplate. */
export const podTemplateRules: KindRules = {
  create: object => checkPodTemplate(at(object, 'template')),
  update: ['changes', object => checkPodTemplate(at(object, 'template'))],
  warnings: (object, old) => ofChanged(object, old, () => templateWarnings(at(object, 'template'))),
};
