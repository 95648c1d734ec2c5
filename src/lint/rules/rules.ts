import type { LintRule } from '../rule.js';
import { caBundleOfLeaf, unusableCaBundle } from './ca-bundles.js';
import { conditionWithoutObject } from './condition-without-object.js';
import { conditionCanFail } from './conditions.js';
import { conversionLosesFields, conversionOfOneVersion } from './conversions.js';
import { failWithoutExclusion, matchesEverything, missingDelete, missingSubresources } from './intercepted.js';
import {
  blocksHeartbeats,
  blocksKubeSystem,
  blocksOwnRecovery,
  blocksOwnUpkeep,
  interceptsKubeSystem,
  interceptsOwnPods,
} from './lock-chains.js';
import { bindingWithoutPolicy, ignoredValidation, paramsWithoutRef, policyWithoutBinding } from './policies-and-bindings.js';
import { defaultWithoutParent, listWithoutKeys, transitionOfOptional } from './schemas.js';
import { selectorOnName, selectorWithoutMatch } from './selectors.js';
import { mutationRunsTwice, sideEffectsForbidDryRun, warningOfSeveralLines } from './side-effects.js';
import { timeoutsPastDeadline } from './timeouts-past-deadline.js';
import { entryNeverMatches, ruleNeverMatches } from './unmatched-rules.js';
import { unroutableService } from './unroutable-services.js';
import { versionGoesAway } from './version-goes-away.js';

/** All rules, by severity. */
export const lintRules: readonly LintRule[] = [
  interceptsOwnPods,
  blocksOwnRecovery,
  blocksHeartbeats,
  unusableCaBundle,
  unroutableService,
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
