import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { pathSegmentPrefixProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { coreEventRules } from './event-validation.js';

/** Event. */
export const eventKind: KindDefinition = {
  validation: coreEventRules,
  nameProblems: pathSegmentProblems,
  prefixProblems: pathSegmentPrefixProblems,
  allowsCreateOnUpdate: true,
  deletion: { dependents: 'none' },
};
