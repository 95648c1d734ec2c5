import type { CallNode, Expr } from '../syntax/ast.js';
import { operators } from '../syntax/operators.js';
import { BOOL, DYN, ERROR, formatType, isDyn, sameType, type Type } from '../values/type.js';
import { areAssignable, isAssignable, newSubstitutions, substitute } from './assignability.js';
import { fieldType, isMisspelt, qualifiedName, undeclared } from './check-names.js';
import { type Checker, check, getType, issueAt, lookUpFunction, newTypeVariable, setType } from './checker.js';
import { type FunctionDeclaration, type Overload, typeParamsOf } from './declarations.js';

/** Checks a call of a function, an operator, or a function with a qualified name. */
export function checkCall(c: Checker, e: Expr, node: CallNode): void {
  if (node.function === operators.optSelect) {
    checkOptionalSelect(c, e, node);
    return;
  }
  for (const argument of node.args) check(c, argument);
  if (node.target === undefined) {
    checkGlobal(c, e, node);
    return;
  }
  const prefix = qualifiedName(node.target);
  const qualified = prefix === undefined ? undefined : lookUpFunction(c, `${prefix}.${node.function}`);
  if (qualified !== undefined) {
    e.node = { ...node, function: qualified.name, target: undefined };
    resolve(c, e, { declaration: qualified, target: undefined, args: node.args });
    return;
  }
  if (prefix !== undefined && isMisspelt(c, e, `${prefix}.${node.function}`)) {
    setType(c, e, ERROR);
    return;
  }
  check(c, node.target);
  const declaration = lookUpFunction(c, node.function);
  if (declaration !== undefined) {
    resolve(c, e, { declaration, target: node.target, args: node.args });
    return;
  }
  setType(c, e, ERROR);
  undeclared(c, e.id, node.function);
}

interface Resolved {
  readonly type: Type;
  readonly overloads: readonly string[];
}

interface Call {
  readonly declaration: FunctionDeclaration;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

function checkGlobal(c: Checker, e: Expr, node: CallNode): void {
  const declaration = lookUpFunction(c, node.function);
  if (declaration === undefined) {
    undeclared(c, e.id, node.function);
    setType(c, e, ERROR);
    return;
  }
  e.node = { ...node, function: declaration.name };
  resolve(c, e, { declaration, target: undefined, args: node.args });
}

/** Checks `a.?b`. */
function checkOptionalSelect(c: Checker, e: Expr, { args: [operand, field] }: CallNode): void {
  if (operand === undefined || field?.node.kind !== 'literal') throw new Error('an optional selection without a field');
  const type = fieldType(c, e, { operand, field: String(field.node.value), optional: true });
  setType(c, e, substitute(c.substitutions, type, 'kept'));
  c.references.set(e.id, { kind: 'function', overloads: ['select_optional_field'] });
}

function resolve(c: Checker, e: Expr, call: Call): void {
  const resolved = resolveOverload(c, e, call);
  if (resolved === undefined) {
    setType(c, e, ERROR);
    return;
  }
  setType(c, e, resolved.type);
  c.references.set(e.id, { kind: 'function', overloads: resolved.overloads });
}

/** Finds all overloads that match; the result type is dyn when theirs differ. */
function resolveOverload(c: Checker, e: Expr, { declaration, target, args }: Call): Resolved | undefined {
  const argTypes = [...(target === undefined ? [] : [target]), ...args].map(argument => getType(c, argument));
  const { name } = declaration;
  const candidates = declaration.overloads.filter(overload => overload.member === (target !== undefined));
  if (name === operators.logicalAnd || name === operators.logicalOr) return resolveLogical(c, args, candidates);
  const overloads: string[] = [];
  let result: Type | undefined;
  for (const candidate of candidates) {
    const signature = instantiated(c, candidate);
    if (!areAssignable(c.substitutions, argTypes, signature.args)) continue;
    overloads.push(candidate.id);
    const type = substitute(c.substitutions, signature.result, 'kept');
    if (result === undefined) result = type;
    else if (!isDyn(result) && !sameType(type, result)) result = DYN;
  }
  if (result !== undefined) return { type: result, overloads };
  const known = argTypes.map(type => substitute(c.substitutions, type, DYN));
  issueAt(c, e.id, `found no matching overload for '${name}' applied to '${displaySignature(known, target !== undefined)}'`);
  return undefined;
}

function resolveLogical(c: Checker, args: readonly Expr[], candidates: readonly Overload[]): Resolved | undefined {
  let failed = false;
  for (const argument of args) {
    const type = getType(c, argument);
    if (isAssignable(c.substitutions, type, BOOL)) continue;
    issueAt(c, argument.id, `expected type 'bool' but found '${formatType(type)}'`);
    failed = true;
  }
  return failed ? undefined : { type: BOOL, overloads: candidates.map(candidate => candidate.id) };
}

/** An overload's signature with fresh type variables. */
function instantiated(c: Checker, overload: Overload): { readonly args: readonly Type[]; readonly result: Type } {
  const params = typeParamsOf(overload);
  if (params.size === 0) return overload;
  const fresh = newSubstitutions();
  for (const param of params) fresh.bound.set(param, newTypeVariable(c));
  const renew = (type: Type) => substitute(fresh, type, 'kept');
  return { args: overload.args.map(renew), result: renew(overload.result) };
}

/** `(int, string)`, or `string.(int)` for a member call. */
function displaySignature(types: readonly Type[], onTarget: boolean): string {
  const [first, ...rest] = types.map(formatType);
  return onTarget ? `${first}.(${rest.join(', ')})` : `(${types.map(formatType).join(', ')})`;
}
