import { adapt } from '../values/found.js';
import { type IdentityMap, identityOf, mapOf } from '../values/maps.js';
import { printed } from '../values/printed.js';
import { type CelValue, celError, celListOf, isCelOptionalValue, isError, noSuchOverload } from '../values/value.js';
import { attributeId, resolveAttribute } from './attribute.js';
import type { Attribute, EvaluationFrame, EvaluationStep } from './frame.js';
import { idsOf, observeConstructed, observeFree, observeTaking, observeUnit } from './observe.js';

/** A constant. */
export function constStep(id: number, value: CelValue): EvaluationStep {
  return { form: { kind: 'const', value }, id: () => id, evaluate: frame => observeFree(frame, id, value) };
}

/** `a && b`, `a || b`: one decisive operand is enough, even if the other is an error. */
export function logicalStep(id: number, { terms, decides }: { terms: readonly EvaluationStep[]; decides: boolean }): EvaluationStep {
  const observed = { id, takes: idsOf(terms) };
  const evaluate = (frame: EvaluationFrame): CelValue => observeTaking(frame, observed, logicalValue(frame, terms, decides));
  return { form: { kind: 'other' }, id: () => id, evaluate };
}

function logicalValue(frame: EvaluationFrame, terms: readonly EvaluationStep[], decides: boolean): CelValue {
  let error: CelValue | undefined;
  for (const term of terms) {
    const value = term.evaluate(frame);
    if (value === decides) return decides;
    if (typeof value !== 'boolean') error ??= noSuchOverload(value);
  }
  return error ?? !decides;
}

/** A list literal. */
export function listStep(id: number, elements: readonly EvaluationStep[], optionalIndices: readonly number[]): EvaluationStep {
  const observed = { id, parts: idsOf(elements), price: listPrice };
  const evaluate = (frame: EvaluationFrame): CelValue => observeConstructed(frame, observed, listValue(frame, elements, optionalIndices));
  return { form: { kind: 'list', elements }, id: () => id, evaluate };
}

const listPrice = 10;
const mapPrice = 30;

function listValue(frame: EvaluationFrame, elements: readonly EvaluationStep[], optionalIndices: readonly number[]): CelValue {
  const items: CelValue[] = [];
  for (let i = 0; i < elements.length; i += 1) {
    const value = elements[i]?.evaluate(frame) ?? '';
    if (isError(value)) return value;
    if (optionalIndices.length === 0 || !optionalIndices.includes(i)) items.push(value);
    else if (!isCelOptionalValue(value))
      return celError(`cannot initialize optional list element from non-optional value ${printed(value)}`);
    else if (value.value !== undefined) items.push(value.value);
  }
  return celListOf(items);
}

/** An entry of a map literal. */
export interface EntrySteps {
  readonly key: EvaluationStep;
  readonly value: EvaluationStep;
  readonly optional: boolean;
}

/** A map literal. */
export function mapStep(id: number, entries: readonly EntrySteps[]): EvaluationStep {
  const observed = { id, parts: idsOf(entries.flatMap(({ key, value }) => [key, value])), price: mapPrice };
  const evaluate = (frame: EvaluationFrame): CelValue => observeConstructed(frame, observed, mapValue(frame, entries));
  return { form: { kind: 'map', keys: entries.map(e => e.key), values: entries.map(e => e.value) }, id: () => id, evaluate };
}

/** Later entries replace earlier ones; an optional entry without a value removes an earlier one. */
function mapValue(frame: EvaluationFrame, entries: readonly EntrySteps[]): CelValue {
  const made: IdentityMap = new Map();
  for (const { key: keyStep, value: valueStep, optional } of entries) {
    const key = keyStep.evaluate(frame);
    if (isError(key)) return key;
    const value = valueStep.evaluate(frame);
    if (isError(value)) return value;
    if (!optional) made.set(identityOf(key), [key, value]);
    else if (!isCelOptionalValue(value)) {
      return celError(`cannot initialize optional entry '${printed(key)}' from non-optional value ${printed(value)}`);
    } else if (value.value === undefined) made.delete(identityOf(key));
    else made.set(identityOf(key), [key, value.value]);
  }
  return mapOf(made);
}

/** Evaluates an attribute. `presence` is the node of a `has(...)`, which costs no more than its qualifiers. */
export function attributeStep(attribute: Attribute, presence?: number): EvaluationStep {
  const id = () => presence ?? attributeId(attribute);
  let observed: ObservedAttribute | undefined;
  const evaluate = (frame: EvaluationFrame): CelValue => {
    const found = adapt(resolveAttribute(attribute, frame));
    const value = presence !== undefined && isCelOptionalValue(found) ? found.value !== undefined : found;
    if (frame.tracker === undefined) return value;
    observed ??= observedAttribute(attribute, { id: id(), isFree: presence !== undefined });
    return observeAttribute(frame, observed, value);
  };
  return { form: { kind: 'attribute', attribute }, id, evaluate };
}

/** Node ids of an attribute, collected on first use: until then the plan may still change. */
interface ObservedAttribute {
  readonly id: number;
  /** The node of its last qualifier. */
  readonly last: number;
  readonly isFree: boolean;
  /** Nodes that a conditional one takes; undefined for others. */
  readonly takes: readonly number[] | undefined;
}

function observedAttribute(attribute: Attribute, { id, isFree }: { id: number; isFree: boolean }): ObservedAttribute {
  const last = attributeId(attribute);
  if (attribute.kind !== 'conditional') return { id, last, isFree, takes: undefined };
  const takes = [attributeId(attribute.falsy), attributeId(attribute.truthy), attribute.condition.id()];
  return { id, last, isFree, takes };
}

function observeAttribute(frame: EvaluationFrame, { id, last, isFree, takes }: ObservedAttribute, value: CelValue): CelValue {
  const { tracker } = frame;
  if (tracker === undefined) return value;
  if (takes !== undefined) {
    // A presence test refunds the cost of a look-up, even if none was charged.
    if (isFree) tracker.cost -= 1;
    return observeTaking(frame, { id, takes }, value);
  }
  tracker.drop(last);
  return isFree ? observeFree(frame, id, value) : observeUnit(frame, id, value);
}
