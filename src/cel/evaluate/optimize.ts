import type { Implementation } from '../check/declarations.js';
import { foundItemsOf, textInside } from '../values/found.js';
import { identityOf } from '../values/maps.js';
import { intOfDouble, maxInt } from '../values/numbers.js';
import { compilePattern, findEvery, findFirst, type Pattern } from '../values/regex.js';
import { type CelList, type CelValue, celListOf, isError, noSuchOverload } from '../values/value.js';
import { type Call, callStep, PlanError } from './call-steps.js';
import { type EvaluationFrame, type EvaluationStep, emptyFrame } from './frame.js';
import { observeFree } from './observe.js';
import { constStep } from './steps.js';

/** Turns a literal of constants into a constant. Source: cel-go interpreter/decorators.go maybeBuildListLiteral, maybeBuildMapLiteral. */
export function optimizedConstruction(step: EvaluationStep): EvaluationStep {
  const { form } = step;
  const parts = form.kind === 'list' ? form.elements : form.kind === 'map' ? [...form.keys, ...form.values] : undefined;
  if (parts === undefined || !parts.every(part => part.form.kind === 'const')) return step;
  return constStep(step.id(), step.evaluate(emptyFrame));
}

/**
 * Evaluates conversions of constants and compiles constant patterns in advance, and looks up membership in constant lists in a set. Throws
 * PlanError when one of these fails. Source: cel-go interpreter/decorators.go.
 */
export function optimizedCall(call: Call, step: EvaluationStep): EvaluationStep {
  if (call.overload === 'in_list') return membershipStep(call) ?? step;
  if (conversions.has(call.function)) return convertedStep(call, step);
  const search = searches.get(call.function);
  const pattern = call.args[1]?.form;
  if (search === undefined || pattern?.kind !== 'const' || typeof pattern.value !== 'string') return step;
  const compiled = compilePattern(pattern.value);
  if ('error' in compiled) throw new PlanError(compiled.error);
  const binding = { implementation: search(compiled.regex), trait: 0, nonStrict: false };
  return callStep(call, binding);
}

const conversions: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

function convertedStep(call: Call, step: EvaluationStep): EvaluationStep {
  if (call.args.length !== 1 || call.args[0]?.form.kind !== 'const') return step;
  const value = step.evaluate(emptyFrame);
  if (isError(value)) throw new PlanError(value.message);
  return constStep(call.id, value);
}

/** Membership in a list of strings, numbers and booleans; undefined when the list is not constant or contains other values. */
function membershipStep(call: Call): EvaluationStep | undefined {
  const [element, list] = call.args;
  if (element === undefined || list?.form.kind !== 'const') return undefined;
  const { value } = list.form;
  if (typeof value !== 'object' || value.kind !== 'list') return undefined;
  if (value.items.length === 0) return constStep(call.id, false);
  const members = membersOf(value);
  if (members === undefined) return undefined;
  const evaluate = (frame: EvaluationFrame): CelValue => {
    const looked = element.evaluate(frame);
    return observeFree(frame, call.id, isError(looked) ? looked : members.has(identityOf(looked)));
  };
  return { form: { kind: 'other' }, id: () => call.id, evaluate };
}

function membersOf(list: CelList): ReadonlySet<unknown> | undefined {
  const members = new Set<unknown>();
  for (const item of foundItemsOf(list)) {
    const isUint = typeof item === 'object' && item.kind === 'uint';
    if (typeof item === 'object' && !isUint) return undefined;
    for (const value of [item, ...sameInOtherTypes(item)]) members.add(identityOf(value));
  }
  return members;
}

/** Keys of numbers of other types that equal this one. A large integer equals the nearest double. */
function sameInOtherTypes(value: CelValue): readonly CelValue[] {
  if (typeof value === 'bigint') return value < 0n ? [Number(value)] : [Number(value), { kind: 'uint', uint: value }];
  if (typeof value === 'object' && value.kind === 'uint') {
    return value.uint > maxInt ? [Number(value.uint)] : [Number(value.uint), value.uint];
  }
  if (typeof value !== 'number' || !Number.isInteger(value)) return [];
  const whole = BigInt(value);
  const asUint: readonly CelValue[] = whole >= 0n && whole < 1n << 64n ? [{ kind: 'uint', uint: whole }] : [];
  return intOfDouble(value) === undefined ? asUint : [whole, ...asUint];
}

type Regex = Extract<Pattern, { readonly regex: unknown }>['regex'];

/** Functions that take a pattern, with a compiled pattern. */
const searches: ReadonlyMap<string, (regex: Regex) => Implementation> = new Map([
  ['matches', (regex: Regex): Implementation => inText(2, text => regex.test(text))],
  ['find', (regex: Regex): Implementation => inText(2, text => findFirst(regex, text))],
  [
    'findAll',
    (regex: Regex): Implementation =>
      inText(3, (text, n = -1n) =>
        typeof n === 'bigint' ? { ...celListOf(findEvery(regex, text, Number(n))), inside: 'texts' as const } : noSuchOverload(n),
      ),
  ],
]);

function inText(mostArguments: number, search: (text: string, third: CelValue | undefined) => CelValue): Implementation {
  const call = (...args: CelValue[]): CelValue => {
    const text = args[0] === undefined ? undefined : textInside(args[0]);
    return text === undefined || args.length > mostArguments ? noSuchOverload() : search(text, args[2]);
  };
  return { arity: 'any', call };
}
