import { stringAt } from '../../go/value.js';
import type { StatusError } from '../../kubernetes/status.js';
import { forbidden } from '../../kubernetes/status-errors.js';
import type { Attributes } from './attributes.js';

/**
 * Returns the name to show in a refusal: the request's, else the object's, else its generateName. Source: apiserver admission/errors.go.
 */
export function nameInRefusal({ name, object }: Attributes): string {
  if (name !== '') return name;
  const own = stringAt(object?.value, 'metadata', 'name');
  return own || stringAt(object?.value, 'metadata', 'generateName') || 'Unknown';
}

/** Returns a 403: `pods "web" is forbidden: MESSAGE`. Source: apiserver admission/errors.go NewForbidden. */
export function admissionRefusal(attributes: Attributes, message: string): StatusError {
  return forbidden(attributes.resource, nameInRefusal(attributes), message);
}

/** Joins error messages: a single one as it is, several in brackets, duplicates removed. Source: apimachinery util/errors Aggregate. */
export function aggregate(texts: readonly string[]): string {
  const different = [...new Set(texts)];
  return different.length === 1 ? (different[0] ?? '') : `[${different.join(', ')}]`;
}
