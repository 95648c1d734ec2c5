import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkLabelSelector } from '../../../apiserver/registry/validation/rules.js';
import { pathSegmentPrefixProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { checkIntOrPercent, checkNotMoreThanAll } from '../../apps/int-or-percent.js';
import { disruptionBudgetStatus } from './pod-disruption-budget-status-validation.js';

/** Source: policy/validation ValidatePodDisruptionBudget. */
export const podDisruptionBudgetRules: KindRules = {
  create: budget => checkBudget(budget.child('spec')),
  metadataLast: true,
  update: [budget => checkBudget(budget.child('spec'))],
};

function checkBudget(spec: FieldPath): void {
  const [least, most] = [spec.child('minAvailable'), spec.child('maxUnavailable')];
  if (least.isSet() && most.isSet())
    spec.invalid(
      internalValue(spec.server, 'policy/v1.PodDisruptionBudgetSpec', spec.value),
      'minAvailable and maxUnavailable cannot be both set',
    );
  for (const field of [least, most].filter(field => field.isSet())) {
    checkIntOrPercent(field);
    checkNotMoreThanAll(field);
  }
  checkLabelSelector(spec.child('selector'));
  const policy = spec.child('unhealthyPodEvictionPolicy');
  const known = ['AlwaysAllow', 'IfHealthyBudget'];
  if (policy.isSet() && !known.includes(policy.text())) policy.notSupported(known);
}

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
