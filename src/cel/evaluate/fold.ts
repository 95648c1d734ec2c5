import { celMapSize, mapEntries, mapKeys } from '../values/maps.js';
import { goTypeOfCel } from '../values/printed.js';
import { type CelValue, celError, celListOf, type FoundValue, isCelListValue, isCelMapValue, isError } from '../values/value.js';
import type { CostTracker } from './cost-tracker.js';
import type { EvaluationFrame, EvaluationStep } from './frame.js';
import { idsOf, observeTaking } from './observe.js';

/** A planned comprehension. */
export interface FoldStep {
  readonly id: number;
  readonly iterRange: EvaluationStep;
  readonly iterVar: string;
  /** Undefined with one variable. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: EvaluationStep;
  readonly condition: EvaluationStep;
  readonly step: EvaluationStep;
  readonly result: EvaluationStep;
}

/** Plans a comprehension as a step. Source: cel-go interpreter/interpretable.go evalFold. */
export function foldStep(fold: FoldStep): EvaluationStep {
  const observed = { id: fold.id, takes: idsOf([fold.iterRange]) };
  const evaluate = (frame: EvaluationFrame): CelValue => observeTaking(frame, observed, foldValue(fold, frame));
  return { form: { kind: 'other' }, id: () => fold.id, evaluate };
}

/** A running comprehension, and the frame of its parts: loops look up millions of variables. */
class Loop implements EvaluationFrame {
  readonly tracker: CostTracker | undefined;
  readonly interrupted: () => boolean;
  first: FoundValue = '';
  second: FoundValue = '';
  accumulated: CelValue | undefined;
  /** The accumulator is a mutable list or map. */
  growing = false;
  finished = false;
  readonly #fold: FoldStep;
  readonly #outer: EvaluationFrame;

  constructor(fold: FoldStep, outer: EvaluationFrame) {
    this.#fold = fold;
    this.#outer = outer;
    this.tracker = outer.tracker;
    this.interrupted = outer.interrupted;
  }

  resolve(name: string): FoundValue | undefined {
    const { accuVar, iterVar, iterVar2 } = this.#fold;
    if (name === accuVar) {
      if (this.accumulated === undefined) this.#start();
      return this.accumulated;
    }
    if (!this.finished && name === iterVar) return this.first;
    if (!this.finished && name === iterVar2) return this.second;
    return this.#outer.resolve(name);
  }

  /** Computed on first use. An empty list or map becomes a mutable accumulator. */
  #start(): void {
    const value = this.#fold.accuInit.evaluate(this.#outer);
    const empty = emptied(value);
    this.growing = empty !== undefined;
    this.accumulated = empty ?? value;
  }
}

function foldValue(fold: FoldStep, outer: EvaluationFrame): CelValue {
  const range = fold.iterRange.evaluate(outer);
  if (isError(range)) return range;
  const entries = fold.iterVar2 === undefined ? elementsOf(range) : entriesOf(range);
  if (typeof entries === 'string') return celError(entries);
  const loop = new Loop(fold, outer);
  // A list that grows meanwhile is not followed.
  const { first, second } = entries;
  const count = first?.length ?? second?.length ?? 0;
  for (let i = 0; i < count; i += 1) {
    loop.first = first === undefined ? BigInt(i) : (first[i] ?? null);
    if (second !== undefined) loop.second = second[i] ?? null;
    const condition = fold.condition.evaluate(loop);
    if (condition === false) break;
    loop.accumulated = fold.step.evaluate(loop);
    if (outer.interrupted()) return celError('operation interrupted');
  }
  loop.finished = true;
  const result = fold.result.evaluate(loop);
  return loop.growing ? settled(result) : result;
}

/** The values of the variables of a comprehension, in order. */
interface Entries {
  /** Undefined for the index. */
  readonly first: readonly FoundValue[] | undefined;
  /** Undefined with one variable. */
  readonly second: readonly FoundValue[] | undefined;
}

/** Items for one variable: elements of a list, or keys of a map. Returns an error message for other values. */
function elementsOf(range: CelValue): Entries | string {
  if (isCelListValue(range)) return { first: range.items, second: undefined };
  if (isCelMapValue(range)) return { first: mapKeys(range), second: undefined };
  return `got '${goTypeOfCel(range)}', expected iterable type`;
}

/** Items for two variables: key and value, or index and element. */
function entriesOf(range: CelValue): Entries | string {
  if (isCelListValue(range)) return { first: undefined, second: range.items };
  if (!isCelMapValue(range)) return `unsupported comprehension range type: ${goTypeOfCel(range)}`;
  const entries = mapEntries(range);
  return { first: entries.map(([key]) => key), second: entries.map(([, value]) => value) };
}

/** A mutable list or map in place of an empty one; undefined for other values. */
function emptied(value: CelValue): CelValue | undefined {
  if (isCelListValue(value) && value.items.length === 0) {
    const items: FoundValue[] = [];
    return { kind: 'list', items, appendable: items, goType: 'mutableList' };
  }
  if (isCelMapValue(value) && celMapSize(value) === 0) {
    const entries = new Map<unknown, readonly [CelValue, FoundValue]>();
    return { kind: 'map', entries: { keys: 'values', byIdentity: entries }, insertable: entries };
  }
  return undefined;
}

function settled(result: CelValue): CelValue {
  if (isCelListValue(result) && result.appendable !== undefined) return celListOf(result.items);
  if (isCelMapValue(result) && result.insertable !== undefined) return { kind: 'map', entries: result.entries };
  return result;
}
