import { wellKnownValue } from '../library/well-known.js';
import { patchValue } from '../values/patch-values.js';
import { printed } from '../values/printed.js';
import { type CelValue, celError, isError, isOptional } from '../values/value.js';
import type { Frame, Step } from './frame.js';
import { idsOf, observeConstructed } from './observe.js';

/** A field of a message literal. */
export interface FieldStep {
  readonly name: string;
  readonly value: Step;
  readonly optional: boolean;
}

/** A message literal. Kubernetes' own types can be named but not constructed. Source: cel-go interpretable.go evalObj. */
export function structStep(id: number, typeName: string, fields: readonly FieldStep[]): Step {
  const observed = { id, parts: idsOf(fields.map(field => field.value)), price: structPrice };
  const evaluate = (frame: Frame): CelValue => observeConstructed(frame, observed, structValue(frame, typeName, fields));
  return { form: { kind: 'other' }, id: () => id, evaluate };
}

const structPrice = 40;

function structValue(frame: Frame, typeName: string, fields: readonly FieldStep[]): CelValue {
  const given = new Map<string, CelValue>();
  for (const { name, value: step, optional } of fields) {
    const value = step.evaluate(frame);
    if (isError(value)) return value;
    if (!optional) given.set(name, value);
    else if (!isOptional(value)) {
      return celError(`cannot initialize optional entry '${name}' from non-optional value ${printed(value)}`);
    } else if (value.value === undefined) given.delete(name);
    else given.set(name, value.value);
  }
  return patchValue(typeName, given) ?? wellKnownValue(typeName, given) ?? celError(`unknown type '${typeName}'`);
}
