import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { customResourceDefinition } from './custom-resource-definition-strategy.js';
import { definitionDeletion } from './definition-deletion.js';
import { definitionNameProblems } from './definition-name.js';

/** CustomResourceDefinition. */
export const customResourceDefinitionKind: KindDefinition = {
  refine: customResourceDefinition,
  nameProblems: definitionNameProblems,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  resetsStatus: true,
  validatedByStrategy: true,
  deletion: definitionDeletion,
};
