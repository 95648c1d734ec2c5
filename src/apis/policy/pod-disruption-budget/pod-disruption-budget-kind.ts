import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { pathSegmentPrefixProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { disruptionBudgetStatus } from './pod-disruption-budget-status-validation.js';
import { podDisruptionBudgetRules } from './pod-disruption-budget-validation.js';

/** PodDisruptionBudget. */
export const podDisruptionBudgetKind: KindDefinition = {
  // Its validation has no rule for names, only the one of all kinds.
  nameProblems: pathSegmentProblems,
  prefixProblems: pathSegmentPrefixProblems,
  validation: podDisruptionBudgetRules,
  subresources: { status: { update: disruptionBudgetStatus } },
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  resetsStatus: true,
};
