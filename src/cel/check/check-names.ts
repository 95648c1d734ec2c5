import type { Expr, SelectNode } from '../syntax/ast.js';
import { BOOL, DYN, ERROR, formatType, isDyn, optionalType, type Type } from '../values/type.js';
import { isAssignable, substitute } from './assignability.js';
import { type Checker, check, getType, issueAt, lookUpIdent, setType } from './checker.js';
import type { VariableDeclaration } from './declarations.js';
import { similarNames } from './similar-names.js';

/** Checks an identifier. */
export function checkIdent(c: Checker, e: Expr, name: string): void {
  const found = lookUpIdent(c, name);
  if (found !== undefined) {
    becomeIdent(c, e, found);
    return;
  }
  setType(c, e, ERROR);
  undeclared(c, e.id, name);
}

/** Checks `a.b`: a qualified name, or a field. */
export function checkSelect(c: Checker, e: Expr, node: SelectNode): void {
  const name = qualifiedName(e);
  const found = name === undefined ? undefined : lookUpIdent(c, name);
  if (found !== undefined) {
    becomeIdent(c, e, found);
    return;
  }
  if (name !== undefined && isMisspelt(c, e, name)) {
    setType(c, e, ERROR);
    return;
  }
  const type = fieldType(c, e, { operand: node.operand, field: node.field, optional: false });
  setType(c, e, substitute(c.substitutions, node.testOnly ? BOOL : type, 'kept'));
}

/** The type of a field; optional when the operand is. */
export function fieldType(c: Checker, e: Expr, select: { operand: Expr; field: string; optional: boolean }): Type {
  check(c, select.operand);
  const { inner, wasOptional } = unwrapOptional(substitute(c.substitutions, getType(c, select.operand), 'kept'));
  const type = fieldOf(c, e, { target: inner, field: select.field });
  return wasOptional || select.optional ? optionalType(type) : type;
}

/** The type inside an optional, or the type itself. */
export function unwrapOptional(type: Type): { readonly inner: Type; readonly wasOptional: boolean } {
  const [parameter] = type.parameters;
  if (type.kind !== 'opaque' || type.name !== 'optional_type') return { inner: type, wasOptional: false };
  return { inner: parameter ?? DYN, wasOptional: true };
}

/** The type of a struct's field; undefined, with an error reported, when it is missing. */
export function lookUpField(c: Checker, id: number, { struct, field }: { struct: string; field: string }): Type | undefined {
  const declaration = c.environment.types.structs.get(struct);
  if (declaration === undefined) {
    issueAt(c, id, `unexpected failed resolution of '${struct}'`);
    return undefined;
  }
  const type = declaration.fields.get(field);
  if (type === undefined) issueAt(c, id, `undefined field '${field}'`);
  return type;
}

/** The qualified name of an expression that consists only of names and dots; undefined for others. */
export function qualifiedName({ node }: Expr): string | undefined {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.testOnly) return undefined;
  const operand = qualifiedName(node.operand);
  return operand === undefined ? undefined : `${operand}.${node.field}`;
}

/** Reports an undeclared name; since cel-go 0.33 with names that are similar. Source: cel-go checker/errors.go. */
export function undeclared(c: Checker, id: number, name: string): void {
  issueAt(c, id, `undeclared reference to '${name}'${c.environment.celGo < 33 ? " (in container '')" : suggestion(c, name)}`);
}

/**
 * Reports a name with dots of which no part is declared, if a name with dots is similar, and returns whether it did. Source: cel-go
 * checker/errors.go checkUndeclaredIdent, checkUndeclaredFunction.
 */
export function isMisspelt(c: Checker, e: Expr, name: string): boolean {
  const parts = name.split('.');
  if (c.environment.celGo < 33 || parts.some((_, i) => i > 0 && lookUpIdent(c, parts.slice(0, i).join('.')) !== undefined)) return false;
  if (similarNames(c.environment, name).length === 0) return false;
  undeclared(c, e.id, name);
  return true;
}

/** ` (did you mean 'object'?)`; empty if no name is similar. */
export function suggestion(c: Checker, name: string): string {
  const names = similarNames(c.environment, name).filter(similar => similar !== name);
  return names.length === 0 ? '' : ` (did you mean ${names.map(similar => `'${similar}'`).join(' or ')}?)`;
}

function becomeIdent(c: Checker, e: Expr, { name, type, value }: VariableDeclaration): void {
  setType(c, e, type);
  c.references.set(e.id, { kind: 'ident', name, value });
  e.node = { kind: 'ident', name };
}

function fieldOf(c: Checker, e: Expr, { target, field }: { target: Type; field: string }): Type {
  switch (target.kind) {
    case 'map':
      return target.parameters[1] ?? DYN;
    case 'struct':
      return lookUpField(c, e.id, { struct: target.name, field }) ?? ERROR;
    case 'typeParam':
      isAssignable(c.substitutions, DYN, target);
      return DYN;
    default:
      if (!isDyn(target) && target.kind !== 'error') issueAt(c, e.id, `type '${formatType(target)}' does not support field selection`);
      return DYN;
  }
}
