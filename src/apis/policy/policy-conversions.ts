import type { ConversionRules } from '../../apiserver/objects/conversion-rules.js';
import { isAbsent } from '../../apiserver/objects/default-rules.js';
import { listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';

const emptyMatchLabel = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

/**
 * An empty selector matched nothing in the beta and matches everything since: a label that no pod has distinguishes the two. Source:
 * kubernetes pkg/apis/policy.
 */
export const policyConversions: ConversionRules = {
  'policy/v1.PodDisruptionBudget': {
    toInternal: budget => {
      const selector = mapAt(budget, 'spec', 'selector');
      if (selector !== undefined && !isLabelOnly(selector, 'Exists')) stripLabel(selector);
    },
  },
  'policy/v1beta1.PodDisruptionBudget': {
    toInternal: budget => {
      const selector = mapAt(budget, 'spec', 'selector');
      if (selector === undefined) return;
      if (isEmptySelector(selector)) setLabelOnly(selector, 'Exists');
      else if (isLabelOnly(selector, 'DoesNotExist')) selector.clear();
      else stripLabel(selector);
    },
    fromInternal: budget => {
      const selector = mapAt(budget, 'spec', 'selector');
      if (selector === undefined) return;
      if (isLabelOnly(selector, 'Exists')) selector.clear();
      else if (isEmptySelector(selector)) setLabelOnly(selector, 'DoesNotExist');
    },
  },
};

function isEmptySelector(selector: ValueMap): boolean {
  return (mapAt(selector, 'matchLabels')?.size ?? 0) === 0 && listAt(selector, 'matchExpressions').length === 0;
}

function isLabelOnly(selector: ValueMap, operator: string): boolean {
  const expressions = listAt(selector, 'matchExpressions');
  const only = expressions[0];
  if ((mapAt(selector, 'matchLabels')?.size ?? 0) > 0 || expressions.length !== 1 || listAt(only, 'values').length > 0) return false;
  return stringAt(only, 'key') === emptyMatchLabel && stringAt(only, 'operator') === operator;
}

function setLabelOnly(selector: ValueMap, operator: string): void {
  selector.clear();
  selector.set('matchExpressions', [
    new Map([
      ['key', emptyMatchLabel],
      ['operator', operator],
    ]),
  ]);
}

function stripLabel(selector: ValueMap): void {
  if (isAbsent(selector, 'matchExpressions')) return;
  selector.set(
    'matchExpressions',
    listAt(selector, 'matchExpressions').filter(expression => stringAt(expression, 'key') !== emptyMatchLabel),
  );
}
