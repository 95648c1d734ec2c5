import { isMap, type Value } from '../../../go/value.js';
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
  tooLongCharacters,
  tooMany,
} from '../../../kubernetes/field-error.js';
import { compareQuantities } from '../../../kubernetes/quantity.js';
import { customValidators } from './custom-validators.js';
import { declarativeFormats, shownFormatText } from './formats.js';
import { itemValidators, validatedItemsOf } from './item-validators.js';
import { isNil, isZero, memberSite, sameValues, structOf, type ValidationSite } from './site.js';
import type { StepArgument, ValidationStep } from './steps.js';
import { unionValidators } from './union-validators.js';
import { updateValidators } from './update-validators.js';

type Validator = (site: ValidationSite, args: readonly StepArgument[]) => FieldError[];

const empty = 'optional value was not specified';

/** Validators by the names of upstream's functions. Source: apimachinery api/validate. */
export const validators: ReadonlyMap<string, Validator> = new Map<string, Validator>([
  ...declarativeFormats,
  ...itemValidators,
  ...unionValidators,
  ...updateValidators,
  ['RequiredValue', ({ path, value }) => (isZero(value) ? [required(path, '')] : [])],
  ['RequiredPointer', ({ path, value }) => (isNil(value) ? [required(path, '')] : [])],
  ['RequiredSlice', ({ path, value }) => (validatedItemsOf(value).length === 0 ? [required(path, '')] : [])],
  ['RequiredMap', ({ path, value }) => (structOf(value).size === 0 ? [required(path, '')] : [])],
  ['OptionalValue', ({ path, value }) => (isZero(value) ? [required(path, empty)] : [])],
  ['OptionalPointer', ({ path, value }) => (isNil(value) ? [required(path, empty)] : [])],
  ['OptionalSlice', ({ path, value }) => (validatedItemsOf(value).length === 0 ? [required(path, empty)] : [])],
  ['OptionalMap', ({ path, value }) => (structOf(value).size === 0 ? [required(path, empty)] : [])],
  ['ForbiddenValue', ({ path, value }) => (isZero(value) ? [] : [forbiddenField(path, '')])],
  ['ForbiddenPointer', ({ path, value }) => (isNil(value) ? [] : [forbiddenField(path, '')])],
  ['ForbiddenSlice', ({ path, value }) => (validatedItemsOf(value).length === 0 ? [] : [forbiddenField(path, '')])],
  ['ForbiddenMap', ({ path, value }) => (structOf(value).size === 0 ? [] : [forbiddenField(path, '')])],
  ['Minimum', ({ path, value }, [least]) => atLeast(path, value, BigInt(Number(least)))],
  ['Maximum', ({ path, value }, [most]) => atMost(path, value, BigInt(Number(most)))],
  ['MinimumQuantity', minimumQuantity],
  [
    'MaxItems',
    ({ path, value }, [most]) =>
      validatedItemsOf(value).length > Number(most) ? [tooMany(path, validatedItemsOf(value).length, Number(most))] : [],
  ],
  [
    'MaxProperties',
    ({ path, value }, [most]) => (structOf(value).size > Number(most) ? [tooMany(path, structOf(value).size, Number(most))] : []),
  ],
  ['MaxBytes', ({ path, value }, [most]) => (bytesOf(value) > Number(most) ? [tooLong(path, Number(most))] : [])],
  ['MaxLength', ({ path, value }, [most]) => (lengthOf(value) > Number(most) ? [tooLongCharacters(path, Number(most))] : [])],
  ['Enum', enumErrors],
  ['EQ', (site, [wanted]) => (typeof site.value === 'string' && site.value !== wanted ? [unsupported(site, [String(wanted)])] : [])],
  ['Subfield', subfieldErrors],
  [
    'IfOption',
    (site, [option, isOn, steps]) =>
      site.server.isEnabled(String(option)) === isOn ? site.run(site, steps as readonly ValidationStep[]) : [],
  ],
  ['Custom', (site, [name]) => customErrors(site, String(name))],
]);

/** A number that is no pointer is 0 when it is absent. */
function numberOf(value: Value | undefined): bigint | undefined {
  return typeof value === 'bigint' ? value : undefined;
}

function atLeast(path: string, value: Value | undefined, least: bigint): FieldError[] {
  const number = numberOf(value);
  return number !== undefined && number < least ? [invalidValue(path, number, `must be greater than or equal to ${least}`)] : [];
}

function atMost(path: string, value: Value | undefined, most: bigint): FieldError[] {
  const number = numberOf(value);
  return number !== undefined && number > most ? [invalidValue(path, number, `must be less than or equal to ${most}`)] : [];
}

function minimumQuantity({ path, value }: ValidationSite, [least]: readonly StepArgument[]): FieldError[] {
  if (typeof value !== 'string' || compareQuantities(value, String(least)) >= 0) return [];
  return [invalidValue(path, value, `must be greater than or equal to ${String(least)}`)];
}

function bytesOf(value: Value | undefined): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : 0;
}

function lengthOf(value: Value | undefined): number {
  return typeof value === 'string' ? [...value].length : 0;
}

function enumErrors(site: ValidationSite, [supported]: readonly StepArgument[]): FieldError[] {
  const value = site.value ?? (site.pointer ? undefined : '');
  const values = supported as readonly string[];
  return typeof value === 'string' && !values.includes(value) ? [unsupported({ ...site, value }, values)] : [];
}

function unsupported(site: ValidationSite, supported: readonly string[]): FieldError {
  return notSupported(site.path, shownFormatText(site, String(site.value)), supported);
}

/** A member that a tag of its struct names: the steps run on it unless it is unchanged. */
function subfieldErrors(site: ValidationSite, [name, , , steps]: readonly StepArgument[]): FieldError[] {
  if (!isMap(site.value)) return [];
  const inner = memberSite(site, String(name), true);
  if (site.isUpdate && site.hasOld && sameValues(inner, inner.value, inner.old)) return [];
  return site.run(inner, steps as readonly ValidationStep[]);
}

function customErrors(site: ValidationSite, name: string): FieldError[] {
  const validator = customValidators.get(name);
  if (validator === undefined) throw new Error(`the custom validator ${name} is not implemented`);
  return validator(site);
}
