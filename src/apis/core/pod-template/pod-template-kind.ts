import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { podTemplateDisabledFields } from '../pod/disabled-fields.js';
import { podTemplate } from './pod-template-strategy.js';
import { podTemplateRules } from './pod-template-validation.js';

/** PodTemplate. */
export const podTemplateKind: KindDefinition = {
  refine: podTemplate,
  validation: podTemplateRules,
  disabledFields: podTemplateDisabledFields,
  hasGeneration: true,
};
