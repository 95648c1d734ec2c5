import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addInvalid, addUnsupported, at, isSet, textOf } from '../../../apiserver/registry/validation/place.js';
import { checkLabelSelector } from '../../../apiserver/registry/validation/rules.js';
import { pathSegmentPrefixProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { checkIntOrPercent, checkNotMoreThanAll } from '../../apps/int-or-percent.js';
import { disruptionBudgetStatus } from './pod-disruption-budget-status-validation.js';

/** Source: policy/validation ValidatePodDisruptionBudget. */
export const podDisruptionBudgetRules: KindRules = {
  create: budget => checkBudget(at(budget, 'spec')),
  metadataLast: true,
  update: [budget => checkBudget(at(budget, 'spec'))],
};

function checkBudget(spec: Place): void {
  const [least, most] = [at(spec, 'minAvailable'), at(spec, 'maxUnavailable')];
  if (isSet(least) && isSet(most))
    addInvalid(
      spec,
      'minAvailable and maxUnavailable cannot be both set',
      internalValue(spec.server, 'policy/v1.PodDisruptionBudgetSpec', spec.value),
    );
  for (const place of [least, most].filter(isSet)) {
    checkIntOrPercent(place);
    checkNotMoreThanAll(place);
  }
  checkLabelSelector(at(spec, 'selector'));
  const policy = at(spec, 'unhealthyPodEvictionPolicy');
  const known = ['AlwaysAllow', 'IfHealthyBudget'];
  if (isSet(policy) && !known.includes(textOf(policy))) addUnsupported(policy, known);
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
