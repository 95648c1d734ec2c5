import type { Compilation } from '../../../cel/program/compile.js';
import { type FieldError, internalFieldError, invalidValue } from '../../../kubernetes/field-error.js';

/** Returns the compilation errors of an expression, for its field. */
export function compilationErrors(compilation: Compilation, expression: string, field: string): FieldError[] {
  if (compilation.outcome === 'compiled') return [];
  const { kind, detail } = compilation.error;
  return [kind === 'internal' ? internalFieldError(field, detail) : invalidValue(field, expression, detail)];
}
