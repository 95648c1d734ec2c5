import type { Expr } from './ast.js';
import { accumulatorName, type MacroBuilder } from './expr-factory.js';
import {
  all,
  append,
  type Expansion,
  exists,
  existsOne,
  expandMap,
  filtered,
  isAccumulator,
  type Macro,
  type MacroFold,
  overwritesAccumulator,
  simpleName,
} from './macros.js';
import { operators } from './operators.js';

/** `all`, `exists`, `transformMap` ... with index and value, or key and value. Source: cel-go ext/comprehensions.go. */
export const twoVariableMacros: readonly Macro[] = [
  ...(['all', 'exists', 'existsOne', 'exists_one'] as const).map(name =>
    twoVariable(name, 1, (b, [predicate]) => folds[name](b, predicate)),
  ),
  twoVariable('transformList', 1, (b, [transform]) => append(b, transform, undefined)),
  twoVariable('transformList', 2, (b, [filter, transform]) => append(b, transform, filter)),
  twoVariable('transformMap', 1, (b, [transform], key) => insert(b, [b.ident(key), transform], undefined)),
  twoVariable('transformMap', 2, (b, [filter, transform], key) => insert(b, [b.ident(key), transform], filter)),
  twoVariable('transformMapEntry', 1, (b, [transform]) => insert(b, [transform], undefined)),
  twoVariable('transformMapEntry', 2, (b, [filter, transform]) => insert(b, [transform], filter)),
];

/** `optMap` and `optFlatMap`. Source: cel-go cel/library.go. */
export const optionalMacros: readonly Macro[] = [
  { name: 'optMap', argCount: 2, receiver: true, expand: (b, target, args) => optionalMap(b, target, { args, name: 'optMap' }) },
  { name: 'optFlatMap', argCount: 2, receiver: true, expand: (b, target, args) => optionalMap(b, target, { args, name: 'optFlatMap' }) },
];

/** `sortBy`. Source: cel-go ext/lists.go. */
export const listMacros: readonly Macro[] = [{ name: 'sortBy', argCount: 2, receiver: true, expand: sortBy }];

/** `cel.bind(name, value, result)`. Source: cel-go ext/bindings.go. */
export const bindingMacros: readonly Macro[] = [{ name: 'bind', argCount: 3, receiver: true, expand: expandBind }];

const folds = { all, exists, existsOne, exists_one: existsOne };

type Arguments = readonly [Expr, Expr];

function twoVariable(name: string, more: number, fold: (b: MacroBuilder, args: Arguments, key: string) => MacroFold): Macro {
  const expand = (b: MacroBuilder, target: Expr, args: readonly Expr[]): Expansion => {
    const [first = target, second = target, third = target, fourth = target] = args;
    const key = simpleName(first);
    if (key === undefined) return { error: 'argument must be a simple name', at: first };
    const value = simpleName(second);
    if (value === undefined) return { error: 'argument must be a simple name', at: second };
    if (key === value) return { error: `duplicate variable name: ${key}`, at: second };
    if (isAccumulator(key)) return { error: overwritesAccumulator, at: first };
    if (isAccumulator(value)) return { error: overwritesAccumulator, at: second };
    return b.comprehension({
      iterRange: target,
      iterVar: key,
      iterVar2: value,
      accuVar: accumulatorName,
      ...fold(b, [third, fourth], key),
    });
  };
  return { name, argCount: 2 + more, receiver: true, expand };
}

/** A comprehension that inserts an entry per iteration. */
function insert(b: MacroBuilder, entry: readonly Expr[], filter: Expr | undefined): MacroFold {
  const step = b.call('cel.@mapInsert', b.accumulator(), ...entry);
  return { accuInit: b.emptyMap(), loopCondition: b.literal(true), loopStep: filtered(b, step, filter), result: b.accumulator() };
}

function optionalMap(b: MacroBuilder, target: Expr, { args, name }: { args: readonly Expr[]; name: 'optMap' | 'optFlatMap' }): Expansion {
  const [variable = target, transform = target] = args;
  const bound = simpleName(variable);
  if (bound === undefined) return { error: `${name}() variable name must be a simple identifier`, at: variable };
  const hasValue = b.memberCall('hasValue', target);
  const mapped = bind(b, bound, { value: b.memberCall('value', b.copy(target)), result: transform });
  const whole = name === 'optMap' ? b.call('optional.of', mapped) : mapped;
  return b.call(operators.conditional, hasValue, whole, b.call('optional.none'));
}

function expandBind(b: MacroBuilder, target: Expr, [variable = target, value = target, result = target]: readonly Expr[]): Expansion {
  if (simpleName(target) !== 'cel') return undefined;
  const name = simpleName(variable);
  return name === undefined
    ? { error: 'cel.bind() variable names must be simple identifiers', at: variable }
    : bind(b, name, { value, result });
}

/** A comprehension over an empty list whose accumulator is a variable of the result. */
function bind(b: MacroBuilder, name: string, { value, result }: { value: Expr; result: Expr }): Expr {
  return b.comprehension({
    iterRange: b.list(),
    iterVar: '#unused',
    iterVar2: undefined,
    accuVar: name,
    accuInit: value,
    loopCondition: b.literal(false),
    loopStep: b.ident(name),
    result,
  });
}

const sortable: ReadonlySet<string> = new Set(['list', 'select', 'ident', 'comprehension', 'call']);

function sortBy(b: MacroBuilder, target: Expr, args: readonly Expr[]): Expansion {
  if (!sortable.has(target.node.kind)) {
    return { error: 'sortBy can only be applied to a list, identifier, comprehension, call or select expression', at: target };
  }
  const input = '@__sortBy_input__';
  const [v, transform] = args;
  const keys = expandMap(b, b.ident(input), { v, transform });
  if (keys === undefined || 'error' in keys) return keys;
  return bind(b, input, { value: target, result: b.memberCall('@sortByAssociatedKeys', b.ident(input), keys) });
}
