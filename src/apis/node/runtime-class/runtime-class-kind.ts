import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { runtimeClassRules } from './runtime-class-validation.js';

/** RuntimeClass. */
export const runtimeClassKind: KindDefinition = {
  validation: runtimeClassRules,
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
};
