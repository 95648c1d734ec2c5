import type { Value } from '../../../go/value.js';
import { type FieldError, forbiddenField, invalidValue } from '../../../kubernetes/field-error.js';
import { matchesItem, validatedItemsOf } from './item-validators.js';
import { isNil, isZero, type ValidationSite } from './site.js';
import type { StepArgument } from './steps.js';

type Validator = (site: ValidationSite, args: readonly StepArgument[]) => FieldError[];

/** Validators of changes. Source: apimachinery api/validate immutable.go, update.go, monotonic.go. */
export const updateValidators: readonly (readonly [name: string, validator: Validator])[] = [
  ['Immutable', ({ isUpdate, path }) => (isUpdate ? [invalidValue(path, null, 'field is immutable')] : [])],
  ['Monotonic', monotonicErrors],
  // A value that is no pointer: it is set if it is not zero. The first argument compares values.
  ['UpdateValue', (site, [, ...constraints]) => valueErrors(site, constraints)],
  ['UpdateValueByCompare', valueErrors],
  ['UpdateValueByReflect', valueErrors],
  ['UpdatePointer', (site, constraints) => changeErrors(site, constraints, isNil)],
  [
    'UpdateStruct',
    (site, constraints) => (site.isUpdate && site.hasOld && constraints.includes('NoModify') ? [cannotBe(site, 'modified once set')] : []),
  ],
  ['ValSliceUpdate', sliceErrors],
];

function monotonicErrors({ isUpdate, path, value, old }: ValidationSite): FieldError[] {
  if (!isUpdate || typeof value !== 'bigint' || typeof old !== 'bigint' || value >= old) return [];
  return [invalidValue(path, value, `may not be decreased from ${old}`)];
}

function cannotBe({ path }: ValidationSite, what: string): FieldError {
  return invalidValue(path, null, `field cannot be ${what}`);
}

function valueErrors(site: ValidationSite, constraints: readonly StepArgument[]): FieldError[] {
  return site.hasOld ? changeErrors(site, constraints, isZero) : [];
}

function changeErrors(
  site: ValidationSite,
  constraints: readonly StepArgument[],
  isUnset: (value: Value | undefined) => boolean,
): FieldError[] {
  if (!site.isUpdate) return [];
  const [wasUnset, isNowUnset] = [isUnset(site.old), isUnset(site.value)];
  return constraints.flatMap(constraint => {
    if (constraint === 'NoSet' && wasUnset && !isNowUnset) return [cannotBe(site, 'set once created')];
    if (constraint === 'NoUnset' && !wasUnset && isNowUnset) return [cannotBe(site, 'cleared once set')];
    return constraint === 'NoModify' && !wasUnset && !isNowUnset ? [cannotBe(site, 'modified once set')] : [];
  });
}

function sliceErrors(site: ValidationSite, [keys, ...constraints]: readonly StepArgument[]): FieldError[] {
  if (!site.isUpdate) return [];
  const [now, before] = [validatedItemsOf(site.value), validatedItemsOf(site.old)];
  return constraints.flatMap(constraint => {
    switch (constraint) {
      case 'NoSet':
        return before.length === 0 && now.length > 0 ? [cannotBe(site, 'set once created')] : [];
      case 'NoUnset':
        return before.length > 0 && now.length === 0 ? [cannotBe(site, 'cleared once set')] : [];
      case 'NoAddItem':
        return now.flatMap((item, i) =>
          before.some(other => matchesItem(other, item, keys)) ? [] : [forbiddenField(`${site.path}[${i}]`, 'item may not be added')],
        );
      default:
        return before.flatMap(item =>
          now.some(other => matchesItem(other, item, keys)) ? [] : [forbiddenField(site.path, 'item may not be removed')],
        );
    }
  });
}
