import { sameValue } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { FieldError } from '../../../kubernetes/field-error.js';
import { printFieldError } from '../../../kubernetes/field-error.js';
import type { Schema, StructSchema } from '../../../kubernetes/schema.js';
import type { FieldPath } from './field-path.js';

/**
 * Runs a check that declarative validation does too. Since v1.37 its errors come from there, in the words of that form, and follow all others;
 * an update does not validate an unchanged value declaratively. Source: apiserver registry/rest/validate.go
 * ValidateDeclarativelyWithMigrationChecks.
 */
export function declared(value: FieldPath, old: FieldPath | undefined, check: (isDeclared: boolean) => void): void {
  if (!value.server.since('v1.37') || (old !== undefined && sameValue(value.value ?? null, old.value ?? null))) {
    check(false);
    return;
  }
  const { errors } = value;
  const before = errors.length;
  check(true);
  for (const [i, error] of errors.entries()) if (i >= before) errors[i] = { ...error, declared: true };
}

/**
 * Returns the errors of an object in the API server's order: those of hand-written validation, equal ones once, then those of declarative
 * validation in the order of the fields. Source: apimachinery api/validate/errors.go FilterCoveredHandwrittenErrors.
 */
export function inDeclaredOrder(server: ApiServer, errors: readonly FieldError[], schema: StructSchema | undefined): readonly FieldError[] {
  if (!server.since('v1.37') || errors.length < 2) return errors;
  const hand = errors.filter(error => error.declared !== true);
  const known = new Set<string>();
  const once = hand.filter(error => {
    const text = printFieldError(error);
    return !known.has(text) && known.add(text);
  });
  const last = errors.filter(error => error.declared === true).map(error => ({ error, order: orderOf(stageOf(error), schema) }));
  last.sort((a, b) => compareOrders(a.order, b.order));
  return [...once, ...last.map(({ error }) => error)];
}

/** Returns the path at which an error is found: duplicates are errors of their list, found before those of its items. */
function stageOf({ type, field }: FieldError): string {
  return type === 'FieldValueDuplicate' ? field.replace(/\[[^\]]*\]$/, '') : field;
}

/** Positions of a path: of a field in its struct, or of an item in its list. */
function orderOf(path: string, schema: StructSchema | undefined): number[] {
  const order: number[] = [];
  let at: Schema | undefined = schema;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    if (name !== undefined) {
      const fields: string[] = at?.type === 'struct' ? [...at.fieldsByName.keys()] : [];
      order.push(fields.indexOf(name));
      at = at?.type === 'struct' ? at.fieldsByName.get(name)?.schema : undefined;
    } else {
      order.push(/^\d+$/.test(index ?? '') ? Number(index) : 0);
      at = at?.type === 'list' ? at.items : at?.type === 'map' ? at.values : undefined;
    }
  }
  return order;
}

function compareOrders(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
