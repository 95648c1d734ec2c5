import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { formatFixed } from '../../../go/exact-decimal.js';
import { goString } from '../../../go/json/write.js';
import { ensureMap, stringAt } from '../../../go/value.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { compareQuantities, milliValue, quantityValue } from '../../../kubernetes/quantity.js';
import { checkAnyResourceName, checkContainerResourceName, isOvercommitAllowed } from '../pod/validation/container-resources.js';

/** Source: core/validation ValidateLimitRange, the only validation of an update. */
export const limitRangeRules: KindRules = { create: checkRange, update: ['metadata', checkRange] };

const standardTypes = ['Pod', 'Container', 'PersistentVolumeClaim'];

function checkRange(range: FieldPath): void {
  const seen = new Set<string>();
  for (const limit of range.items('spec', 'limits')) {
    const type = limit.child('type');
    const name = type.text();
    // The field has a named type, which errors print as JSON.
    const shown = { rawJson: goString(name) };
    const problems = labelKeyProblems(range.server, name);
    for (const problem of problems) type.invalid(shown, problem);
    if (problems.length === 0 && !name.includes('/') && !standardTypes.includes(name))
      type.invalid(shown, 'must be a standard limit type or fully qualified');
    if (seen.has(name)) type.duplicate(shown);
    seen.add(name);
    checkNames(limit, name);
    const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];
    for (const resource of new Set(lists.flatMap(list => [...limit.child(list).members().keys()]))) checkAmounts(limit, resource, name);
  }
}

function checkNames(limit: FieldPath, type: string): void {
  const ofContainer = type === 'Pod' || type === 'Container';
  const check = (list: string): void => {
    for (const [name, field] of limit.entries(list)) {
      if (ofContainer) checkContainerResourceName(field, name);
      else checkAnyResourceName(field, name);
    }
  };
  check('max');
  check('min');
  for (const list of ['default', 'defaultRequest']) {
    if (type !== 'Pod') check(list);
    else if (limit.child(list).length() > 0) limit.child(list).forbidden("may not be specified when `type` is 'Pod'");
  }
  const storage = ['min', 'max'].some(list => limit.child(list).members().has('storage'));
  if (type === 'PersistentVolumeClaim' && !storage)
    limit.child('limits').required('either minimum or maximum storage value is required, but neither was provided');
  check('maxLimitRequestRatio');
}

/** Validates the order of the amounts of one resource: minimum, default request, default, maximum. */
function checkAmounts(limit: FieldPath, resource: string, type: string): void {
  const amount = (list: string): string | undefined =>
    (type === 'Pod' && list.startsWith('default')) || !limit.child(list).members().has(resource) ? undefined : limit.text(list, resource);
  const exceeds = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && compareQuantities(a, b) > 0;
  const refuse = (list: string, message: string, value: string | undefined): void =>
    limit
      .child(list)
      .key(resource)
      .invalid(value ?? '', message);
  const [min, max, initial, request] = [amount('min'), amount('max'), amount('default'), amount('defaultRequest')];
  if (exceeds(min, max)) refuse('min', `min value ${min} is greater than max value ${max}`, min);
  if (exceeds(min, request)) refuse('defaultRequest', `min value ${min} is greater than default request value ${request}`, request);
  if (exceeds(request, max)) refuse('defaultRequest', `default request value ${request} is greater than max value ${max}`, request);
  if (exceeds(request, initial))
    refuse('defaultRequest', `default request value ${request} is greater than default limit value ${initial}`, request);
  if (exceeds(min, initial)) refuse('default', `min value ${min} is greater than default value ${initial}`, min);
  if (exceeds(initial, max)) refuse('default', `default value ${initial} is greater than max value ${max}`, max);
  const ratio = amount('maxLimitRequestRatio');
  if (ratio !== undefined && compareQuantities(ratio, '1') < 0) refuse('maxLimitRequestRatio', `ratio ${ratio} is less than 1`, ratio);
  if (ratio !== undefined && min !== undefined && max !== undefined) {
    const [least, most] = ratios({ ratio, min, max });
    if (least > most) refuse('maxLimitRequestRatio', `ratio ${ratio} is greater than max/min = ${formatFixed(most, 6)}`, ratio);
  }
  if (initial !== undefined && request !== undefined && !isOvercommitAllowed(resource) && compareQuantities(initial, request) !== 0)
    refuse('defaultRequest', `default value ${initial} must equal to defaultRequest value ${request} in ${resource}`, request);
}

const mostMilli = ((1n << 63n) - 1n) / 1000n;

/** Returns the requested ratio, and the one that maximum and minimum allow: in thousandths unless one is too large for them. */
function ratios(amounts: { readonly ratio: string; readonly min: string; readonly max: string }): [number, number] {
  const { ratio, min, max } = amounts;
  const isSmall = [ratio, min, max].every(amount => quantityValue(amount) < mostMilli);
  if (!isSmall) return [Number(quantityValue(ratio)), Number(quantityValue(max)) / Number(quantityValue(min))];
  return [Number(milliValue(ratio)) / 1000, Number(milliValue(max)) / Number(milliValue(min))];
}

/** Strategy of LimitRanges, which may have no name. Source: kubernetes pkg/registry/core/limitrange/strategy.go. */
const limitRange: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    const metadata = ensureMap(object, 'metadata');
    if (stringAt(metadata, 'name') === '') metadata.set('name', context.effects.uid());
  },
});

/** LimitRange. */
export const limitRangeKind: KindDefinition = { refine: limitRange, validation: limitRangeRules, allowsCreateOnUpdate: true };
