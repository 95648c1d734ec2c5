import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { apiService } from './api-service-strategy.js';
import { apiServiceNameProblems, apiServiceRules, apiServiceStatus } from './api-service-validation.js';

/** APIService. */
export const apiServiceKind: KindDefinition = {
  refine: apiService,
  validation: apiServiceRules,
  nameProblems: apiServiceNameProblems,
  subresources: { status: { update: apiServiceStatus } },
  allowsUnconditionalUpdate: false,
  resetsStatus: true,
  keepsMetadataInStatus: true,
};
