import type { LintRule } from './rule.js';
import { conditionWithoutObject } from './rules/condition-without-object.js';
import { conditionCanFail } from './rules/conditions.js';
import { conversionLosesFields, conversionOfOneVersion } from './rules/conversions.js';
import {
  failWithoutExclusion,
  interceptsKubeSystem,
  interceptsOwnPods,
  matchesEverything,
  missingDelete,
  missingSubresources,
} from './rules/intercepted.js';
import { bindingWithoutPolicy, ignoredValidation, paramsWithoutRef, policyWithoutBinding } from './rules/policies-and-bindings.js';
import { selectorOnName, selectorWithoutMatch } from './rules/selectors.js';
import { mutationRunsTwice, sideEffectsForbidDryRun, warningOfSeveralLines } from './rules/side-effects.js';
import { timeoutsPastDeadline } from './rules/timeouts-past-deadline.js';
import { versionGoesAway } from './rules/version-goes-away.js';

/** All rules, by severity. */
export const lintRules: readonly LintRule[] = [
  interceptsOwnPods,
  sideEffectsForbidDryRun,
  interceptsKubeSystem,
  matchesEverything,
  missingSubresources,
  selectorOnName,
  selectorWithoutMatch,
  timeoutsPastDeadline,
  conditionWithoutObject,
  conditionCanFail,
  conversionLosesFields,
  failWithoutExclusion,
  ignoredValidation,
  versionGoesAway,
  missingDelete,
  conversionOfOneVersion,
  policyWithoutBinding,
  bindingWithoutPolicy,
  paramsWithoutRef,
  warningOfSeveralLines,
  mutationRunsTwice,
];
