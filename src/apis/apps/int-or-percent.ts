import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';
import { checkNonNegative } from '../../apiserver/registry/validation/rules.js';
import { goString } from '../../go/json/write.js';
import type { BadValue } from '../../kubernetes/field-error.js';

/** Validates a non-negative number or a percentage. Source: apps/validation ValidatePositiveIntOrPercent. */
export function checkIntOrPercent(field: FieldPath): void {
  if (typeof field.value !== 'string') checkNonNegative(field);
  else if (!/^[0-9]+%$/.test(field.value)) {
    const message =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
    field.invalid(intOrStringValue(field), message);
  }
}

/** Source: apps/validation IsNotMoreThan100Percent. */
export function checkNotMoreThanAll(field: FieldPath): void {
  if (typeof field.value === 'string' && /^[0-9]+%$/.test(field.value) && BigInt(field.value.slice(0, -1)) > 100n)
    field.invalid('must not be greater than 100%');
}

/** Returns an int-or-string as errors show it: the JSON of its type, in which `<`, `>` and `&` are escapes. */
export function intOrStringValue(field: FieldPath): BadValue {
  return typeof field.value === 'string' ? { rawJson: goString(field.value) } : field.number();
}
