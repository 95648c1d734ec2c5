import type { FunctionDeclaration, Implementation, Overload } from '../check/declarations.js';
import { itemAt } from '../values/found.js';
import { celMapSize, findInMap, mapKeys } from '../values/maps.js';
import { BOOL, DOUBLE, INT, STRING, type Type } from '../values/type.js';
import { celTypeOf } from '../values/type-of.js';
import { type CelValue, celError, isCelListValue, isCelMapValue, isError } from '../values/value.js';

/** Implementation of a call. */
export interface FunctionBinding {
  readonly implementation: Implementation;
  /** Trait required of the first argument; 0 for none. */
  readonly trait: number;
  /** Accepts errors as arguments. */
  readonly nonStrict: boolean;
}

/** Implementations by function name and overload id. */
export type Dispatcher = ReadonlyMap<string, FunctionBinding>;

/** Binds all functions of an environment. Source: cel-go decls.go FunctionDecl.Bindings. */
export function dispatcherOf(functions: Iterable<FunctionDeclaration>): Dispatcher {
  const bindings = new Map<string, FunctionBinding>();
  for (const declared of functions) bindFunction(bindings, declared);
  return bindings;
}

function bindFunction(bindings: Map<string, FunctionBinding>, declared: FunctionDeclaration): void {
  const { name, singleton } = declared;
  if (singleton !== undefined) {
    bindings.set(name, { ...singleton, nonStrict: false });
    return;
  }
  const bound = declared.overloads.flatMap(overload => boundOverload(declared, overload));
  for (const { id, binding } of bound) bindings.set(id, binding);
  const [first] = bound;
  if (first === undefined) return;
  bindings.set(name, bound.length === 1 ? first.binding : byArguments(declared, bound));
}

interface BoundOverload {
  readonly id: string;
  readonly fits: (args: readonly CelValue[]) => boolean;
  readonly inner: Implementation;
  readonly binding: FunctionBinding;
}

function boundOverload(declared: FunctionDeclaration, overload: Overload): readonly BoundOverload[] {
  const { implementation: inner, nonStrict = false } = overload;
  if (inner === undefined) return [];
  const accepts = overload.args.map(type => argumentTest(type, { nonStrict, unguarded: declared.unguarded === true }));
  const fits = (args: readonly CelValue[]) => args.length === accepts.length && accepts.every((test, i) => test(args[i] ?? ''));
  const implementation = guarded(inner, { accepts, fits, name: declared.name });
  return [{ id: overload.id, fits, inner, binding: { implementation, trait: 0, nonStrict } }];
}

type ArgumentTest = (arg: CelValue) => boolean;

interface Guard {
  /** For each argument, whether its value is accepted. */
  readonly accepts: readonly ArgumentTest[];
  readonly fits: (args: readonly CelValue[]) => boolean;
  readonly name: string;
}

/** Calls with one and two arguments, which loops make by the million, are tested without a list of their arguments. */
function guarded(inner: Implementation, { accepts, fits, name }: Guard): Implementation {
  const refuse = (...args: readonly CelValue[]) => noSuchSignature(name, args);
  const [first, second] = accepts;
  switch (inner.arity) {
    case 'unary':
      if (first === undefined || accepts.length !== 1) return { arity: 'unary', call: refuse };
      return { arity: 'unary', call: value => (first(value) ? inner.call(value) : refuse(value)) };
    case 'binary':
      if (first === undefined || second === undefined || accepts.length !== 2) return { arity: 'binary', call: refuse };
      return {
        arity: 'binary',
        call: (left, right) => (first(left) && second(right) ? inner.call(left, right) : refuse(left, right)),
      };
    case 'any':
      return { arity: 'any', call: (...args) => (fits(args) ? inner.call(...args) : refuse(...args)) };
  }
}

/** The implementation for calls whose overload the checker could not determine: the first overload that accepts the values. */
function byArguments({ name }: FunctionDeclaration, bound: readonly BoundOverload[]): FunctionBinding {
  const call = (...args: CelValue[]): CelValue => {
    for (const { inner, fits } of bound) {
      if (takes(inner, args) && fits(args)) return callWith(inner, args);
    }
    return noSuchSignature(name, args);
  };
  const nonStrict = bound.some(({ binding }) => binding.nonStrict);
  return { implementation: { arity: 'any', call }, trait: 0, nonStrict };
}

function takes({ arity }: Implementation, args: readonly CelValue[]): boolean {
  return arity === 'any' || args.length === (arity === 'unary' ? 1 : 2);
}

function callWith(implementation: Implementation, args: readonly CelValue[]): CelValue {
  const [left = '', right = ''] = args;
  switch (implementation.arity) {
    case 'unary':
      return implementation.call(left);
    case 'binary':
      return implementation.call(left, right);
    case 'any':
      return implementation.call(...args);
  }
}

function noSuchSignature(name: string, args: readonly CelValue[]): CelValue {
  const types = args.map(arg => celTypeOf(arg).name);
  return args.find(isError) ?? celError(`no such overload: ${name}(${types.join(', ')})`);
}

function argumentTest(type: Type, { nonStrict, unguarded }: { nonStrict: boolean; unguarded: boolean }): ArgumentTest {
  if (!unguarded && !nonStrict) {
    // Their values are recognized without looking up their type: loops make millions of calls.
    if (type === STRING) return arg => typeof arg === 'string';
    if (type === INT) return arg => typeof arg === 'bigint';
    if (type === BOOL) return arg => typeof arg === 'boolean';
    if (type === DOUBLE) return arg => typeof arg === 'number';
  }
  return arg => (isError(arg) ? nonStrict : unguarded || isOfType(arg, type));
}

/** For a list or map, only the first entry is checked. Source: cel-go types.go IsAssignableRuntimeType. */
function isOfType(value: CelValue, type: Type): boolean {
  if (type.nullable && typeof value === 'object' && value.kind === 'null') return true;
  if (type.kind !== 'dyn' && type.kind !== 'any' && type.kind !== 'typeParam' && type.name !== celTypeOf(value).name) return false;
  const [first, second] = type.parameters;
  if (type.kind === 'list' && isCelListValue(value) && first !== undefined)
    return value.items.length === 0 || isOfType(itemAt(value, 0), first);
  if (type.kind !== 'map' || !isCelMapValue(value) || first === undefined || second === undefined || celMapSize(value) === 0) return true;
  const [key = ''] = mapKeys(value);
  return isOfType(key, first) && isOfType(findInMap(value, key) ?? '', second);
}
