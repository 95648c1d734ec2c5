import { mapEntries, mapKeys, mapSize } from '../values/maps.js';
import { goTypeOf } from '../values/printed.js';
import { type CelValue, celError, type Found, isError, isList, isMap, listOf } from '../values/value.js';
import type { Frame, Step } from './frame.js';
import { idsOf, observeTaking } from './observe.js';

/** A loop over a list or a map, planned. */
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

/** A loop, as a step. Source: cel-go interpreter/interpretable.go evalFold. */
export function foldStep(fold: Fold): Step {
  const observed = { id: fold.id, takes: idsOf([fold.iterRange]) };
  const evaluate = (frame: Frame): CelValue => observeTaking(frame, observed, foldValue(fold, frame));
  return { form: { kind: 'other' }, id: () => fold.id, evaluate };
}

/** What the loop keeps while it runs. */
interface Loop {
  first: Found;
  second: Found;
  accumulated: CelValue | undefined;
  /** The accumulator is one that grows in place. */
  growing: boolean;
  finished: boolean;
}

function foldValue(fold: Fold, outer: Frame): CelValue {
  const range = fold.iterRange.evaluate(outer);
  if (isError(range)) return range;
  const entries = fold.iterVar2 === undefined ? elementsOf(range) : entriesOf(range);
  if (typeof entries === 'string') return celError(entries);
  const loop: Loop = { first: '', second: '', accumulated: undefined, growing: false, finished: false };
  const frame: Frame = { ...outer, resolve: name => resolveIn(fold, loop, { name, outer }) };
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

/** With one variable: the elements of a list, the keys of a map. A text when there is nothing to go through. */
function elementsOf(range: CelValue): readonly Entry[] | string {
  if (isList(range)) return range.items.map((item): Entry => [item, '']);
  if (isMap(range)) return mapKeys(range).map((key): Entry => [key, '']);
  return `got '${goTypeOf(range)}', expected iterable type`;
}

/** With two: the key and the value, or the index and the element. */
function entriesOf(range: CelValue): readonly Entry[] | string {
  if (isMap(range)) return mapEntries(range);
  if (isList(range)) return range.items.map((item, i): Entry => [BigInt(i), item]);
  return `unsupported comprehension range type: ${goTypeOf(range)}`;
}

function resolveIn(fold: Fold, loop: Loop, { name, outer }: { name: string; outer: Frame }): Found | undefined {
  if (name === fold.accuVar) {
    loop.accumulated ??= startValue(fold, loop, outer);
    return loop.accumulated;
  }
  if (!loop.finished && name === fold.iterVar) return loop.first;
  if (!loop.finished && name === fold.iterVar2) return loop.second;
  return outer.resolve(name);
}

/** Is computed when it is first asked for. An empty list or map becomes one that grows in place. */
function startValue(fold: Fold, loop: Loop, outer: Frame): CelValue {
  const value = fold.accuInit.evaluate(outer);
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
