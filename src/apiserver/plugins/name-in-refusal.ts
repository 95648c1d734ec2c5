import { stringAt } from '../../kubernetes/value.js';
import type { Attributes } from '../admission/attributes.js';

/** The name a refusal names: the request's, else the object's, else what it is generated from. Source: apiserver admission/errors.go. */
export function nameInRefusal({ name, object }: Attributes): string {
  if (name !== '') return name;
  const own = stringAt(object?.value, 'metadata', 'name');
  return own || stringAt(object?.value, 'metadata', 'generateName') || 'Unknown';
}
