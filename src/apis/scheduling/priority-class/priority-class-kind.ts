import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { priorityClassDeletion } from './priority-class-deletion.js';
import { priorityClass } from './priority-class-strategy.js';
import { priorityClassRules } from './priority-class-validation.js';

/** PriorityClass. */
export const priorityClassKind: KindDefinition = {
  refine: priorityClass,
  validation: priorityClassRules,
  hasGeneration: true,
  deletion: priorityClassDeletion,
};
