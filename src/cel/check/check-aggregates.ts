import type { Expr, ListNode, MapNode } from '../syntax/ast.js';
import { ERROR, formatType, isDyn, listType, mapType, optionalType, type Type } from '../values/type.js';
import { isAssignable, mostGeneral } from './assignability.js';
import { unwrapOptional } from './check-names.js';
import { type Checker, check, getType, issueAt, newTypeVariable, setType } from './checker.js';

/** `[a, ?b]` */
export function checkList(c: Checker, e: Expr, { elements, optionalIndices }: ListNode): void {
  let type: Type | undefined;
  elements.forEach((element, i) => {
    check(c, element);
    const found = optionalIndices.includes(i) ? insideOptional(c, element) : getType(c, element);
    type = joined(c, element, { previous: type, current: found });
  });
  setType(c, e, listType(type ?? newTypeVariable(c)));
}

/** `{a: b, ?c: d}` */
export function checkMap(c: Checker, e: Expr, { entries }: MapNode): void {
  let keyType: Type | undefined;
  let valueType: Type | undefined;
  for (const { key, value, optional } of entries) {
    check(c, key);
    keyType = joined(c, key, { previous: keyType, current: getType(c, key) });
    check(c, value);
    valueType = joined(c, value, { previous: valueType, current: optional ? insideOptional(c, value) : getType(c, value) });
  }
  setType(c, e, mapType(keyType ?? newTypeVariable(c), valueType ?? newTypeVariable(c)));
}

/** What an optional element adds when it has a value; an error when it is no optional. */
export function insideOptional(c: Checker, e: Expr): Type {
  const type = getType(c, e);
  const { inner, wasOptional } = unwrapOptional(type);
  if (!wasOptional && !isDyn(inner)) {
    issueAt(c, e.id, `expected type '${formatType(optionalType(inner))}' but found '${formatType(inner)}'`);
  }
  return inner;
}

/** All elements of a literal have one type: the API server does not mix them. */
function joined(c: Checker, e: Expr, { previous, current }: { previous: Type | undefined; current: Type }): Type {
  if (previous === undefined) return current;
  if (isAssignable(c.substitutions, previous, current)) return mostGeneral(previous, current);
  issueAt(c, e.id, `expected type '${formatType(previous)}' but found '${formatType(current)}'`);
  return ERROR;
}
