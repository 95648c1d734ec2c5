import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { configMapKeyProblems } from '../../../kubernetes/name-rules.js';
import { leaseCandidateRules } from './lease-candidate-validation.js';

/** LeaseCandidate. */
export const leaseCandidateKind: KindDefinition = {
  validation: leaseCandidateRules,
  nameProblems: configMapKeyProblems,
  allowsCreateOnUpdate: true,
};
