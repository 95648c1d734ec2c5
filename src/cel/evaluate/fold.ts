import { mapEntries, mapKeys, mapSize } from '../values/maps.js';
import { goTypeOf } from '../values/printed.js';
import { type CelValue, celError, type Found, isError, isList, isMap, listOf } from '../values/value.js';
import type { Frame, Step } from './frame.js';
import { idsOf, observeTaking } from './observe.js';

/** A planned comprehension. */
export interface Fold {
  readonly id: number;
  readonly iterRange: Step;
  readonly iterVar: string;
  /** Undefined with one variable. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: Step;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
}

/** Plans a comprehension as a step. Source: cel-go interpreter/interpretable.go evalFold. */
export function foldStep(fold: Fold): Step {
  const observed = { id: fold.id, takes: idsOf([fold.iterRange]) };
  const evaluate = (frame: Frame): CelValue => observeTaking(frame, observed, foldValue(fold, frame));
  return { form: { kind: 'other' }, id: () => fold.id, evaluate };
}

/** State of a running comprehension. */
interface Loop {
  readonly outer: Frame;
  first: Found;
  second: Found;
  accumulated: CelValue | undefined;
  /** The accumulator is a mutable list or map. */
  growing: boolean;
  finished: boolean;
}

function foldValue(fold: Fold, outer: Frame): CelValue {
  const range = fold.iterRange.evaluate(outer);
  if (isError(range)) return range;
  const entries = fold.iterVar2 === undefined ? elementsOf(range) : entriesOf(range);
  if (typeof entries === 'string') return celError(entries);
  const loop: Loop = { outer, first: '', second: '', accumulated: undefined, growing: false, finished: false };
  const frame: Frame = { ...outer, resolve: name => resolveIn(fold, loop, name) };
  for (const [first, second] of entries) {
    loop.first = first;
    loop.second = second;
    const condition = fold.condition.evaluate(frame);
    if (condition === false) break;
    loop.accumulated = fold.step.evaluate(frame);
    if (outer.interrupted()) return celError('operation interrupted');
  }
  loop.finished = true;
  const result = fold.result.evaluate(frame);
  return loop.growing ? settled(result) : result;
}

type Entry = readonly [first: Found, second: Found];

/** Items for one variable: elements of a list, or keys of a map. Returns an error message for other values. */
function elementsOf(range: CelValue): readonly Entry[] | string {
  if (isList(range)) return range.items.map((item): Entry => [item, '']);
  if (isMap(range)) return mapKeys(range).map((key): Entry => [key, '']);
  return `got '${goTypeOf(range)}', expected iterable type`;
}

/** Items for two variables: key and value, or index and element. */
function entriesOf(range: CelValue): readonly Entry[] | string {
  if (isMap(range)) return mapEntries(range);
  if (isList(range)) return range.items.map((item, i): Entry => [BigInt(i), item]);
  return `unsupported comprehension range type: ${goTypeOf(range)}`;
}

function resolveIn(fold: Fold, loop: Loop, name: string): Found | undefined {
  if (name === fold.accuVar) {
    loop.accumulated ??= startValue(fold, loop);
    return loop.accumulated;
  }
  if (!loop.finished && name === fold.iterVar) return loop.first;
  if (!loop.finished && name === fold.iterVar2) return loop.second;
  return loop.outer.resolve(name);
}

/** Computed on first use. An empty list or map becomes a mutable accumulator. */
function startValue(fold: Fold, loop: Loop): CelValue {
  const value = fold.accuInit.evaluate(loop.outer);
  if (isList(value) && value.items.length === 0) {
    loop.growing = true;
    const items: Found[] = [];
    return { kind: 'list', items, appendable: items, goType: 'mutableList' };
  }
  if (isMap(value) && mapSize(value) === 0) {
    loop.growing = true;
    const entries = new Map<unknown, readonly [CelValue, Found]>();
    return { kind: 'map', entries: { keys: 'values', byIdentity: entries }, insertable: entries };
  }
  return value;
}

function settled(result: CelValue): CelValue {
  if (isList(result) && result.appendable !== undefined) return listOf(result.items);
  if (isMap(result) && result.insertable !== undefined) return { kind: 'map', entries: result.entries };
  return result;
}
