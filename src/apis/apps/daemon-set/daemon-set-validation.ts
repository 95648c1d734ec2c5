import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { addInvalid, addRequired, addUnsupported, at, isSet, type Place, textAt } from '../../../apiserver/registry/validation/place.js';
import { checkLabelSelector, checkNonNegative, isEmptySelector } from '../../../apiserver/registry/validation/rules.js';
import { templateWarnings } from '../../core/pod/validation/pod-warnings.js';
import { checkIntOrPercent, checkNotMoreThanAll } from '../int-or-percent.js';
import { amountIn, checkSelected, checkTemplateOf, isUsableSelector, keepSelector } from '../selected-templates.js';

/** Source: apps/validation ValidateDaemonSet. */
export const daemonSetRules: KindRules = {
  create: object => checkDaemonSet(at(object, 'spec')),
  update: ['changes', (object, old) => keepSelector(object, old, 'apps/v1.DaemonSetSpec'), object => checkDaemonSet(at(object, 'spec'))],
  warnings: (object, old) => {
    const generation = (of: Place): string => textAt(of, 'metadata', 'annotations', 'deprecated.daemonset.template.generation');
    return old !== undefined && generation(object) === generation(old) ? [] : templateWarnings(at(object, 'spec', 'template'));
  },
};

function checkDaemonSet(spec: Place): void {
  const selector = at(spec, 'selector');
  checkLabelSelector(selector);
  if (isUsableSelector(selector)) checkSelected(spec, selector.value);
  if (isEmptySelector(selector))
    addInvalid(selector, 'empty selector is invalid for daemonset', internalValue(spec.server, 'meta/v1.LabelSelector', selector.value));
  checkTemplateOf(spec, 'DaemonSet');
  checkNonNegative(at(spec, 'minReadySeconds'));
  checkDaemonSetStrategy(at(spec, 'updateStrategy'));
  checkNonNegative(at(spec, 'revisionHistoryLimit'));
}

function checkDaemonSetStrategy(strategy: Place): void {
  const type = textAt(strategy, 'type');
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    addUnsupported(
      strategy,
      ['RollingUpdate', 'OnDelete'],
      internalValue(strategy.server, 'apps/v1.DaemonSetUpdateStrategy', strategy.value),
    );
    return;
  }
  const rolling = at(strategy, 'rollingUpdate');
  if (!isSet(rolling)) {
    addRequired(rolling);
    return;
  }
  const [unavailable, surge] = [at(rolling, 'maxUnavailable'), at(rolling, 'maxSurge')];
  for (const place of [unavailable, surge]) checkIntOrPercent(place);
  for (const place of [unavailable, surge]) checkNotMoreThanAll(place);
  const [hasUnavailable, hasSurge] = [amountIn(unavailable) !== 0n, amountIn(surge) !== 0n];
  if (hasUnavailable && hasSurge) addInvalid(surge, 'may not be set when maxUnavailable is non-zero');
  else if (!hasUnavailable && !hasSurge) addRequired(unavailable, 'cannot be 0 when maxSurge is 0');
}
