/** A part of an expression with a mark, what is offered there, and what is not. */
export type Place = readonly [string, string, string];

/** A kind of expression. */
export interface Kind {
  /** Writes the document around an expression. */
  readonly write: (expression: string) => string;
  readonly places: readonly Place[];
}

/** Returns a text as a literal block, below a key that is indented less. */
export const block = (indent: number, text: string): string =>
  `|-\n${' '.repeat(indent)}${text.replaceAll('\n', `\n${' '.repeat(indent)}`)}`;
