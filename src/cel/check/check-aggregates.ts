import type { Expr, ListNode, MapNode } from '../syntax/ast.js';
import { DYN, formatType, isDyn, listType, mapType, optionalType, type Type } from '../values/type.js';
import { isAssignable, mostGeneral } from './assignability.js';
import { unwrapOptional } from './check-names.js';
import { type Checker, check, getType, issueAt, newTypeVariable, setType } from './checker.js';

/** Checks `[a, ?b]`. */
export function checkList(c: Checker, e: Expr, { elements, optionalIndices }: ListNode): void {
  let type: Type | undefined;
  elements.forEach((element, i) => {
    check(c, element);
    const found = optionalIndices.includes(i) ? insideOptional(c, element) : getType(c, element);
    type = joined(c, type, found);
  });
  setType(c, e, listType(type ?? newTypeVariable(c)));
}

/** Checks `{a: b, ?c: d}`. */
export function checkMap(c: Checker, e: Expr, { entries }: MapNode): void {
  let keyType: Type | undefined;
  let valueType: Type | undefined;
  for (const { key, value, optional } of entries) {
    check(c, key);
    keyType = joined(c, keyType, getType(c, key));
    check(c, value);
    valueType = joined(c, valueType, optional ? insideOptional(c, value) : getType(c, value));
  }
  setType(c, e, mapType(keyType ?? newTypeVariable(c), valueType ?? newTypeVariable(c)));
}

/** The type inside an optional element; reports an error when the element is not an optional. */
export function insideOptional(c: Checker, e: Expr): Type {
  const type = getType(c, e);
  const { inner, wasOptional } = unwrapOptional(type);
  if (!wasOptional && !isDyn(inner)) {
    issueAt(c, e.id, `expected type '${formatType(optionalType(inner))}' but found '${formatType(inner)}'`);
  }
  return inner;
}

/** The common type of elements; dyn when they differ. Validators report mixed elements later. */
function joined(c: Checker, previous: Type | undefined, current: Type): Type {
  if (previous === undefined) return current;
  return isAssignable(c.substitutions, previous, current) ? mostGeneral(previous, current) : DYN;
}
