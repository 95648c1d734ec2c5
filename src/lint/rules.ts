import type { LintRule } from './rule.js';
import { caBundleOfLeaf, unusableCaBundle } from './rules/ca-bundles.js';
import { conditionWithoutObject } from './rules/condition-without-object.js';
import { conditionCanFail } from './rules/conditions.js';
import { conversionLosesFields, conversionOfOneVersion } from './rules/conversions.js';
import { failWithoutExclusion, matchesEverything, missingDelete, missingSubresources } from './rules/intercepted.js';
import {
  blocksHeartbeats,
  blocksKubeSystem,
  blocksOwnRecovery,
  blocksOwnUpkeep,
  interceptsKubeSystem,
  interceptsOwnPods,
} from './rules/lock-chains.js';
import { bindingWithoutPolicy, ignoredValidation, paramsWithoutRef, policyWithoutBinding } from './rules/policies-and-bindings.js';
import { defaultWithoutParent, listWithoutKeys, transitionOfOptional } from './rules/schemas.js';
import { selectorOnName, selectorWithoutMatch } from './rules/selectors.js';
import { mutationRunsTwice, sideEffectsForbidDryRun, warningOfSeveralLines } from './rules/side-effects.js';
import { timeoutsPastDeadline } from './rules/timeouts-past-deadline.js';
import { entryNeverMatches, ruleNeverMatches } from './rules/unmatched-rules.js';
import { versionGoesAway } from './rules/version-goes-away.js';

/** All rules, by severity. */
export const lintRules: readonly LintRule[] = [
  interceptsOwnPods,
  blocksOwnRecovery,
  blocksHeartbeats,
  unusableCaBundle,
  sideEffectsForbidDryRun,
  ruleNeverMatches,
  entryNeverMatches,
  caBundleOfLeaf,
  interceptsKubeSystem,
  blocksKubeSystem,
  blocksOwnUpkeep,
  matchesEverything,
  missingSubresources,
  selectorOnName,
  selectorWithoutMatch,
  timeoutsPastDeadline,
  conditionWithoutObject,
  conditionCanFail,
  conversionLosesFields,
  transitionOfOptional,
  failWithoutExclusion,
  ignoredValidation,
  versionGoesAway,
  missingDelete,
  conversionOfOneVersion,
  defaultWithoutParent,
  listWithoutKeys,
  policyWithoutBinding,
  bindingWithoutPolicy,
  paramsWithoutRef,
  warningOfSeveralLines,
  mutationRunsTwice,
];
