import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { podTemplateGatedFields } from '../pod/gated-fields.js';
import { podTemplate } from './pod-template-strategy.js';
import { podTemplateRules } from './pod-template-validation.js';

/** PodTemplate. */
export const podTemplateKind: KindDefinition = {
  refine: podTemplate,
  validation: podTemplateRules,
  gatedFields: podTemplateGatedFields,
  hasGeneration: true,
  deletion: { returnsObject: true },
};
