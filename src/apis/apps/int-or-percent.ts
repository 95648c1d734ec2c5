import { addInvalid, type Place } from '../../apiserver/registry/validation/place.js';
import { checkNonNegative } from '../../apiserver/registry/validation/rules.js';

/** Validates a non-negative number or a percentage. Source: apps/validation ValidatePositiveIntOrPercent. */
export function checkIntOrPercent(place: Place): void {
  if (typeof place.value !== 'string') checkNonNegative(place);
  else if (!/^[0-9]+%$/.test(place.value)) {
    const message =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
    addInvalid(place, message);
  }
}

/** Source: apps/validation IsNotMoreThan100Percent. */
export function checkNotMoreThanAll(place: Place): void {
  if (typeof place.value === 'string' && /^[0-9]+%$/.test(place.value) && BigInt(place.value.slice(0, -1)) > 100n)
    addInvalid(place, 'must not be greater than 100%');
}
