import { celNull } from '../values/value.js';
import type { Expr } from './ast.js';
import { accumulatorName, type MacroBuilder } from './expr-factory.js';
import { operators } from './operators.js';

/** Expansion of a macro call, or an error at one of its arguments; undefined when the macro does not apply. */
export type Expansion = Expr | { readonly error: string; readonly at: Expr } | undefined;

/** A function that is expanded while parsing. */
export interface Macro {
  readonly name: string;
  readonly argCount: number;
  /** Called as a member function. */
  readonly receiver: boolean;
  readonly expand: (builder: MacroBuilder, target: Expr, args: readonly Expr[]) => Expansion;
}

/** The language's standard macros. Source: cel-go parser/macro.go. */
export const standardMacros: readonly Macro[] = [
  { name: 'has', argCount: 1, receiver: false, expand: (builder, _, [field]) => expandHas(builder, field) },
  quantifier('all', all),
  quantifier('exists', exists),
  quantifier('exists_one', existsOne),
  { name: 'map', argCount: 2, receiver: true, expand: (b, target, [v, transform]) => expandMap(b, target, { v, transform }) },
  {
    name: 'map',
    argCount: 3,
    receiver: true,
    expand: (b, target, [v, filter, transform]) => expandMap(b, target, { v, filter, transform }),
  },
  { name: 'filter', argCount: 2, receiver: true, expand: expandFilter },
];

/** Parts of a comprehension, without its variables. */
export interface MacroFold {
  readonly accuInit: Expr;
  readonly loopCondition: Expr;
  readonly loopStep: Expr;
  readonly result: Expr;
}

export function all(b: MacroBuilder, predicate: Expr): MacroFold {
  return {
    accuInit: b.literal(true),
    loopCondition: b.call(operators.notStrictlyFalse, b.accumulator()),
    loopStep: b.call(operators.logicalAnd, b.accumulator(), predicate),
    result: b.accumulator(),
  };
}

export function exists(b: MacroBuilder, predicate: Expr): MacroFold {
  return {
    accuInit: b.literal(false),
    loopCondition: b.call(operators.notStrictlyFalse, b.call(operators.logicalNot, b.accumulator())),
    loopStep: b.call(operators.logicalOr, b.accumulator(), predicate),
    result: b.accumulator(),
  };
}

export function existsOne(b: MacroBuilder, predicate: Expr): MacroFold {
  return {
    accuInit: b.literal(0n),
    loopCondition: b.literal(true),
    loopStep: b.call(operators.conditional, predicate, b.call(operators.add, b.accumulator(), b.literal(1n)), b.accumulator()),
    result: b.call(operators.equals, b.accumulator(), b.literal(1n)),
  };
}

/** A comprehension that appends an element per iteration, if the optional filter holds. */
export function append(b: MacroBuilder, transform: Expr, filter: Expr | undefined): MacroFold {
  const accuInit = b.list();
  const loopCondition = b.literal(true);
  const step = b.call(operators.add, b.accumulator(), b.list(transform));
  return { accuInit, loopCondition, loopStep: filtered(b, step, filter), result: b.accumulator() };
}

/** The step if the filter holds, otherwise the unchanged accumulator. */
export function filtered(b: MacroBuilder, step: Expr, filter: Expr | undefined): Expr {
  return filter === undefined ? step : b.call(operators.conditional, filter, step, b.accumulator());
}

/** The name of an identifier argument. */
export function simpleName(expr: Expr | undefined): string | undefined {
  return expr?.node.kind === 'ident' ? expr.node.name : undefined;
}

/** Names reserved for macros. */
export function isAccumulator(name: string): boolean {
  return name === accumulatorName || name === '__result__';
}

export const overwritesAccumulator = 'iteration variable overwrites accumulator variable';

/** `range.map(v, transform)` and `range.map(v, filter, transform)`. */
export function expandMap(b: MacroBuilder, target: Expr, args: MapArgs): Expansion {
  const { v = missing, filter, transform = missing } = args;
  const name = simpleName(v);
  if (name === undefined) return { error: 'argument is not an identifier', at: v };
  if (isAccumulator(name)) return { error: overwritesAccumulator, at: v };
  return b.comprehension({
    iterRange: target,
    iterVar: name,
    iterVar2: undefined,
    accuVar: accumulatorName,
    ...append(b, transform, filter),
  });
}

export interface MapArgs {
  readonly v: Expr | undefined;
  readonly filter?: Expr | undefined;
  readonly transform: Expr | undefined;
}

/** Placeholder for a missing argument; macros are only expanded with all arguments. */
const missing: Expr = { id: 0, node: { kind: 'literal', value: celNull } };

function expandHas(b: MacroBuilder, field: Expr | undefined): Expansion {
  if (field?.node.kind === 'select') return b.presenceTest(field.node.operand, field.node.field);
  return { error: 'invalid argument to has() macro', at: field ?? missing };
}

function quantifier(name: string, fold: (b: MacroBuilder, predicate: Expr) => MacroFold): Macro {
  return { name, argCount: 2, receiver: true, expand: (b, target, args) => expandQuantifier(b, target, { args, fold }) };
}

type Quantified = { readonly args: readonly Expr[]; readonly fold: (b: MacroBuilder, predicate: Expr) => MacroFold };

function expandQuantifier(b: MacroBuilder, target: Expr, { args, fold }: Quantified): Expansion {
  const [v = missing, predicate = missing] = args;
  const name = simpleName(v);
  if (name === undefined) return { error: 'argument must be a simple name', at: v };
  if (isAccumulator(name)) return { error: overwritesAccumulator, at: v };
  return b.comprehension({ iterRange: target, iterVar: name, iterVar2: undefined, accuVar: accumulatorName, ...fold(b, predicate) });
}

function expandFilter(b: MacroBuilder, target: Expr, args: readonly Expr[]): Expansion {
  const [v, filter] = args;
  return expandMap(b, target, { v, filter, transform: v });
}
