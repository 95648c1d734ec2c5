import type { OptionKind } from './option.js';
import { parseValue, type ValueType } from './value-type.js';

/** A text of a value, and where it is. */
export interface PlacedText<P> {
  readonly at: P;
  readonly text: string;
}

/** Why a text is not a value of an option. */
export interface RefusedText {
  /** What it must be, after the word "expected". */
  readonly expected: string;
  readonly suggestions: readonly string[];
}

/** How users write options at an edge of the program, as fields of suite files or as members of objects of JavaScript. Its functions throw the errors of the edge. */
export interface OptionEdge<P> {
  readonly switchAt: (at: P) => boolean;
  /** Returns the text of the only value. */
  readonly textAt: (at: P, type: ValueType<unknown>) => PlacedText<P>;
  /** Returns the texts of several values; pairs as `KEY=VALUE`. */
  readonly textsAt: (at: P, shape: 'many' | 'pairs') => readonly PlacedText<P>[];
  readonly refuse: (refused: PlacedText<P>, why: RefusedText) => Error;
}

/** Returns the value of an option: the row of the table parses it. Throws what the edge throws. */
export function parseOption<P>(option: OptionKind, at: P, edge: OptionEdge<P>): unknown {
  if (option.shape === 'switch') return edge.switchAt(at);
  const { shape, value } = option;
  if (shape === 'one') return parseText(value, edge.textAt(at, value), edge.refuse);
  return edge.textsAt(at, shape).map(placed => parseText(value, placed, edge.refuse));
}

/** Returns the value of one text. Throws what `refuse` returns. */
export function parseText<T, P>(type: ValueType<T>, placed: PlacedText<P>, refuse: OptionEdge<P>['refuse']): T {
  const result = parseValue(type, placed.text);
  if ('value' in result) return result.value;
  throw refuse(placed, result);
}
