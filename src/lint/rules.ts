import type { LintRule } from './rule.js';
import { conditionWithoutObject } from './rules/condition-without-object.js';
import { failWithoutExclusion } from './rules/fail-without-exclusion.js';
import { ignoredValidation } from './rules/ignored-validation.js';
import { interceptsKubeSystem } from './rules/intercepts-kube-system.js';
import { interceptsOwnPods } from './rules/intercepts-own-pods.js';
import { matchesEverything } from './rules/matches-everything.js';
import { missingDelete } from './rules/missing-delete.js';
import { missingSubresources } from './rules/missing-subresources.js';
import { selectorWithoutMatch } from './rules/selector-without-match.js';
import { sideEffectsForbidDryRun } from './rules/side-effects-forbid-dry-run.js';
import { timeoutsPastDeadline } from './rules/timeouts-past-deadline.js';

/** Every rule, by what it can cost. */
export const lintRules: readonly LintRule[] = [
  interceptsOwnPods,
  sideEffectsForbidDryRun,
  interceptsKubeSystem,
  matchesEverything,
  missingSubresources,
  selectorWithoutMatch,
  timeoutsPastDeadline,
  conditionWithoutObject,
  failWithoutExclusion,
  ignoredValidation,
  missingDelete,
];
