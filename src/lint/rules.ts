import type { LintRule } from './rule.js';
import { bindingWithoutPolicy } from './rules/binding-without-policy.js';
import { conditionCanFail } from './rules/condition-can-fail.js';
import { conditionWithoutObject } from './rules/condition-without-object.js';
import { conversionLosesFields } from './rules/conversion-loses-fields.js';
import { conversionOfOneVersion } from './rules/conversion-of-one-version.js';
import { failWithoutExclusion } from './rules/fail-without-exclusion.js';
import { ignoredValidation } from './rules/ignored-validation.js';
import { interceptsKubeSystem } from './rules/intercepts-kube-system.js';
import { interceptsOwnPods } from './rules/intercepts-own-pods.js';
import { matchesEverything } from './rules/matches-everything.js';
import { missingDelete } from './rules/missing-delete.js';
import { missingSubresources } from './rules/missing-subresources.js';
import { mutationRunsTwice } from './rules/mutation-runs-twice.js';
import { paramsWithoutRef } from './rules/params-without-ref.js';
import { policyWithoutBinding } from './rules/policy-without-binding.js';
import { selectorOnName } from './rules/selector-on-name.js';
import { selectorWithoutMatch } from './rules/selector-without-match.js';
import { sideEffectsForbidDryRun } from './rules/side-effects-forbid-dry-run.js';
import { timeoutsPastDeadline } from './rules/timeouts-past-deadline.js';
import { warningOfSeveralLines } from './rules/warning-of-several-lines.js';

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
  missingDelete,
  conversionOfOneVersion,
  policyWithoutBinding,
  bindingWithoutPolicy,
  paramsWithoutRef,
  warningOfSeveralLines,
  mutationRunsTwice,
];
