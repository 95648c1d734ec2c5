import { countGeneration, equalIn } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { podTemplateGatedFields } from '../pod/gated-fields.js';
import { checkPodTemplate } from '../pod/validation/pod-template.js';
import { templateWarnings } from '../pod/validation/pod-warnings.js';
import { ofChanged } from './selected-templates.js';

/** Source: core/validation ValidatePodTemplate. */
const podTemplateRules: KindRules = {
  create: object => checkPodTemplate(object.child('template')),
  update: ['changes', object => checkPodTemplate(object.child('template'))],
  warnings: (object, old) => ofChanged(object, old, () => templateWarnings(object.child('template'))),
};

/** Strategy of pod templates: only the template has generations. Source: kubernetes pkg/registry/core/podtemplate/strategy.go. */
const podTemplate: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old, { resource, server }) => {
    if (!equalIn(server, resource, 'template', object, old)) countGeneration(object, old);
  },
});

/** PodTemplate. */
export const podTemplateKind: KindDefinition = {
  refine: podTemplate,
  validation: podTemplateRules,
  gatedFields: podTemplateGatedFields,
  hasGeneration: true,
  deletion: { returnsObject: true },
};
