import type { Type } from '../values/type.js';
import type { CelValue } from '../values/value.js';

/** A function with all its overloads, in declaration order. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** One implementation for all overloads; it only checks the trait of its first argument. */
  readonly singleton?: Singleton | undefined;
  /** The overloads' implementations check their arguments themselves. */
  readonly unguarded?: boolean | undefined;
}

/** One overload of a function. */
export interface Overload {
  readonly id: string;
  readonly args: readonly Type[];
  readonly result: Type;
  /** Called on its first argument: `a.f(b)`. */
  readonly member: boolean;
  /** Accepts errors as arguments. */
  readonly nonStrict?: boolean | undefined;
  readonly implementation?: Implementation | undefined;
}

export interface Singleton {
  readonly implementation: Implementation;
  /** Trait required of the first argument; 0 for none. */
  readonly trait: number;
}

/** How Go binds the overload, which determines how an error argument is evaluated. */
export type Implementation =
  | { readonly arity: 'unary'; readonly call: (value: CelValue) => CelValue }
  | { readonly arity: 'binary'; readonly call: (left: CelValue, right: CelValue) => CelValue }
  | { readonly arity: 'any'; readonly call: (...args: CelValue[]) => CelValue };

export interface VariableDeclaration {
  readonly name: string;
  readonly type: Type;
  /** A constant. */
  readonly value?: CelValue | undefined;
}

/** A function with its overloads. */
export function fn(name: string, ...overloads: readonly Overload[]): FunctionDeclaration {
  return { name, overloads };
}

/** An overload of a global function. */
export function overload(id: string, args: readonly Type[], result: Type, implementation?: Implementation): Overload {
  return { id, args, result, member: false, implementation };
}

/** An overload of a member function. */
export function memberDeclaration(id: string, args: readonly Type[], result: Type, implementation?: Implementation): Overload {
  return { id, args, result, member: true, implementation };
}

export function unary(call: (value: CelValue) => CelValue): Implementation {
  return { arity: 'unary', call };
}

export function binary(call: (left: CelValue, right: CelValue) => CelValue): Implementation {
  return { arity: 'binary', call };
}

export function variadic(call: (...args: CelValue[]) => CelValue): Implementation {
  return { arity: 'any', call };
}

/** Merges functions by name: later libraries add overloads to functions of earlier ones. */
export function mergeFunctions(functions: readonly FunctionDeclaration[]): ReadonlyMap<string, FunctionDeclaration> {
  const merged = new Map<string, FunctionDeclaration>();
  for (const added of functions) {
    const known = merged.get(added.name);
    merged.set(added.name, known === undefined ? added : mergedWith(known, added));
  }
  return merged;
}

/** The names of the type variables in a signature. */
export function typeParamsOf({ args, result }: Overload): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (type: Type) => {
    if (type.kind === 'typeParam') names.add(type.name);
    type.parameters.forEach(collect);
  };
  [result, ...args].forEach(collect);
  return names;
}

function mergedWith(known: FunctionDeclaration, added: FunctionDeclaration): FunctionDeclaration {
  const fresh = added.overloads.filter(overload => !known.overloads.some(o => o.id === overload.id));
  return {
    name: known.name,
    overloads: [...known.overloads, ...fresh],
    singleton: added.singleton ?? known.singleton,
    unguarded: known.unguarded === true && added.unguarded === true,
  };
}
