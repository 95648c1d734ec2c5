import { goTypeOf, printGo } from '../../../go/print.js';
import { isMap, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import { type FieldError, invalidValue } from '../../../kubernetes/field-error.js';

const largestInt32 = 2147483647n;

/**
 * Checks that the paths in `subresources.scale` of a definition refer to numbers and a string. Source: apiextensions-apiserver
 * registry/customresource/validator.go.
 */
export function scaleErrors(object: ValueMap, scale: ValueMap | undefined, part: 'all' | 'status'): FieldError[] {
  if (scale === undefined) return [];
  return [
    ...(part === 'all' ? replicasErrors(object, stringAt(scale, 'specReplicasPath')) : []),
    ...replicasErrors(object, stringAt(scale, 'statusReplicasPath')),
    ...selectorErrors(object, scale.get('labelSelectorPath')),
  ];
}

/** Result of resolving a path of a definition: absent, a value, or an error. Source: apimachinery unstructured.NestedFieldNoCopy. */
export type Pointed = { readonly value: Value | undefined } | { readonly error: string };

/** Resolves `.spec.replicas` in an object. */
export function valueAtPath(object: ValueMap, path: string): Pointed {
  const steps = path.replace(/^\./, '').split('.');
  let at: Value | undefined = object;
  for (const [i, step] of steps.entries()) {
    if (at === null) return { value: undefined };
    if (!isMap(at)) return { error: accessorError(steps.slice(0, i + 1), at, 'map[string]interface{}') };
    at = at.get(step);
    if (at === undefined) return { value: undefined };
  }
  return { value: at };
}

/** `.spec.a accessor error: x is of the type string, expected int64` */
export function accessorError(steps: readonly string[], found: Value, wanted: string): string {
  return `.${steps.join('.')} accessor error: ${printGo(found)} is of the type ${goTypeOf(found).replace('interface {}', 'interface {}')}, expected ${wanted}`;
}

function replicasErrors(object: ValueMap, path: string): FieldError[] {
  const found = valueAtPath(object, path);
  if ('error' in found) return [invalidValue(path, 0n, found.error)];
  const { value } = found;
  if (value === undefined) return [];
  if (typeof value !== 'bigint') return [invalidValue(path, 0n, accessorError(path.replace(/^\./, '').split('.'), value, 'int64'))];
  if (value < 0n) return [invalidValue(path, value, 'should be a non-negative integer')];
  return value > largestInt32 ? [invalidValue(path, value, `should be less than or equal to ${largestInt32}`)] : [];
}

function selectorErrors(object: ValueMap, path: Value | undefined): FieldError[] {
  if (typeof path !== 'string') return [];
  const found = valueAtPath(object, path);
  if ('error' in found) return [invalidValue(path, '', found.error)];
  const { value } = found;
  if (value === undefined || typeof value === 'string') return [];
  return [invalidValue(path, '', accessorError(path.replace(/^\./, '').split('.'), value, 'string'))];
}
