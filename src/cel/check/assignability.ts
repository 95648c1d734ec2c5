import { isDyn, NULL, sameType, type Type, typeParam, withParameters } from '../values/type.js';

/** Bindings of type variables found so far. */
export interface Substitutions {
  readonly bound: Map<string, Type>;
}

/** Empty bindings. */
export function newSubstitutions(): Substitutions {
  return { bound: new Map() };
}

/** Reports whether a value of the second type can be used as the first, or the reverse. Binds type variables accordingly. */
export function isAssignable(m: Substitutions, a: Type, b: Type): boolean {
  return areAssignable(m, [a], [b]);
}

/** Like isAssignable for lists of types; no variable is bound when one of them does not fit. Source: cel-go checker/types.go. */
export function areAssignable(m: Substitutions, as: readonly Type[], bs: readonly Type[]): boolean {
  const tried: Substitutions = { bound: new Map(m.bound) };
  if (!allAssignable(tried, as, bs)) return false;
  for (const [name, type] of tried.bound) m.bound.set(name, type);
  return true;
}

/** Replaces bound type variables in a type; unbound ones are kept or become dyn, as requested. */
export function substitute(m: Substitutions, type: Type, leftOver: 'kept' | Type): Type {
  const known = find(m, type);
  if (known !== undefined) return substitute(m, known, leftOver);
  if (type.kind === 'typeParam') return leftOver === 'kept' ? type : leftOver;
  if (type.parameters.length === 0) return type;
  return withParameters(
    type,
    type.parameters.map(parameter => substitute(m, parameter, leftOver)),
  );
}

/** The more general of two types. */
export function mostGeneral(a: Type, b: Type): Type {
  return isEqualOrLessSpecific(a, b) ? a : b;
}

/** Reports whether a declared type accepts values of another, without variables. Source: cel-go Type.IsAssignableType. */
export function takes(type: Type, from: Type): boolean {
  if (type.nullable) return from.kind === 'null' || takes({ ...type, nullable: false }, from);
  if (type === from || isDyn(type) || type.kind === 'typeParam') return true;
  return (
    type.kind === from.kind &&
    type.name === from.name &&
    type.parameters.length === from.parameters.length &&
    type.parameters.every((p, i) => takes(p, from.parameters[i] ?? p))
  );
}

/** A fresh type variable. */
export function typeVariable(number: number): Type {
  return typeParam(`_var${number}`);
}

function find(m: Substitutions, type: Type): Type | undefined {
  return type.kind === 'typeParam' ? m.bound.get(type.name) : undefined;
}

function allAssignable(m: Substitutions, as: readonly Type[], bs: readonly Type[]): boolean {
  return as.length === bs.length && as.every((a, i) => assignable(m, a, bs[i] ?? a));
}

function assignable(m: Substitutions, a: Type, b: Type): boolean {
  if (b.kind === 'typeParam') {
    const bound = bind(m, a, b);
    if (bound.valid) return true;
    if (bound.known) return false;
  }
  if (a.kind === 'typeParam') return bind(m, b, a).valid;
  if (isDynOrError(a) || isDynOrError(b)) return true;
  if (a.kind === 'null') return takesNull(b);
  if (b.kind === 'null') return takesNull(a);
  switch (a.kind) {
    case 'type':
      return b.kind === 'type';
    case 'opaque':
    case 'list':
    case 'map':
      return a.kind === b.kind && a.name === b.name && allAssignable(m, a.parameters, b.parameters);
    default:
      return takes(b, a);
  }
}

/** Reports whether the variable can be bound to the type, and binds it. */
function bind(m: Substitutions, type: Type, variable: Type): { readonly valid: boolean; readonly known: boolean } {
  if (type.kind === variable.kind && sameType(type, variable)) return { valid: true, known: true };
  const known = find(m, variable);
  if (known !== undefined) {
    if (type.kind === known.kind && sameType(type, known)) return { valid: true, known: true };
    if (!assignable(m, type, known)) return { valid: false, known: true };
    const general = mostGeneral(type, known);
    if (isNotIn(m, variable, general)) m.bound.set(variable.name, general);
    return { valid: true, known: true };
  }
  if (!isNotIn(m, variable, type)) return { valid: false, known: false };
  m.bound.set(variable.name, type);
  return { valid: true, known: false };
}

function takesNull(type: Type): boolean {
  return ['opaque', 'struct', 'any', 'duration', 'timestamp'].includes(type.kind) || takes(type, NULL);
}

function isDynOrError(type: Type): boolean {
  return isDyn(type) || type.kind === 'error';
}

function isEqualOrLessSpecific(a: Type, b: Type): boolean {
  if (isDyn(a) || a.kind === 'typeParam') return true;
  if (isDyn(b) || b.kind === 'typeParam') return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.kind !== 'opaque' && a.kind !== 'list' && a.kind !== 'map') return sameType(a, b);
  return (
    a.name === b.name &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((p, i) => isEqualOrLessSpecific(p, b.parameters[i] ?? p))
  );
}

/** Reports whether the variable does not occur in the type. A variable bound to a type that contains it would recurse forever. */
function isNotIn(m: Substitutions, variable: Type, type: Type): boolean {
  if (sameType(variable, type)) return false;
  if (type.kind === 'typeParam') {
    const known = find(m, type);
    return known === undefined || isNotIn(m, variable, known);
  }
  return type.parameters.every(parameter => isNotIn(m, variable, parameter));
}
