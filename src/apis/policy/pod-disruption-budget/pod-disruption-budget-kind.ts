import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { disruptionBudgetStatus } from './pod-disruption-budget-status-validation.js';
import { podDisruptionBudgetRules } from './pod-disruption-budget-validation.js';

/** PodDisruptionBudget. */
export const podDisruptionBudgetKind: KindDefinition = {
  validation: podDisruptionBudgetRules,
  subresources: { status: { update: disruptionBudgetStatus } },
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  resetsStatus: true,
};
