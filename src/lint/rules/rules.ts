// Written by `npm run build` from the other modules of this folder.

import type { LintRule } from '../rule.js';
import { caBundleOfLeaf, unusableCaBundle } from './ca-bundles.js';
import { conditionWithoutObject } from './condition-without-object.js';
import { conditionCanFail } from './conditions.js';
import { conversionLosesFields, conversionOfOneVersion } from './conversions.js';
import { defaultWithoutParent, ruleCanFail } from './failing-rules.js';
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
import { listWithoutKeys, transitionOfOptional } from './schemas.js';
import { selectorWithoutEffect } from './selector-without-effect.js';
import { selectorOnName, selectorWithoutMatch } from './selectors.js';
import { mutationRunsTwice, sideEffectsForbidDryRun, warningOfSeveralLines } from './side-effects.js';
import { timeoutsPastDeadline } from './timeouts-past-deadline.js';
import { entryNeverMatches, ruleNeverMatches } from './unmatched-rules.js';
import { unroutableService } from './unroutable-services.js';
import { versionGoesAway } from './version-goes-away.js';

/** All rules, by the file that they are in. */
export const lintRules: readonly LintRule[] = [
  unusableCaBundle,
  caBundleOfLeaf,
  conditionWithoutObject,
  conditionCanFail,
  conversionLosesFields,
  conversionOfOneVersion,
  ruleCanFail,
  defaultWithoutParent,
  failWithoutExclusion,
  matchesEverything,
  missingDelete,
  missingSubresources,
  interceptsOwnPods,
  blocksOwnRecovery,
  blocksOwnUpkeep,
  blocksHeartbeats,
  interceptsKubeSystem,
  blocksKubeSystem,
  bindingWithoutPolicy,
  policyWithoutBinding,
  paramsWithoutRef,
  ignoredValidation,
  transitionOfOptional,
  listWithoutKeys,
  selectorWithoutEffect,
  selectorOnName,
  selectorWithoutMatch,
  sideEffectsForbidDryRun,
  mutationRunsTwice,
  warningOfSeveralLines,
  timeoutsPastDeadline,
  ruleNeverMatches,
  entryNeverMatches,
  unroutableService,
  versionGoesAway,
];
