import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { customResourceDefinition } from './custom-resource-definition-strategy.js';

/** CustomResourceDefinition. */
export const customResourceDefinitionKind: KindDefinition = {
  refine: customResourceDefinition,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  resetsStatus: true,
};
