/** What may be written at a place, before it is an item of the protocol. */
export interface Suggestion {
  readonly label: string;
  readonly kind: 'field' | 'value' | 'variable' | 'function' | 'keyword';
  /** Type or signature. */
  readonly detail: string;
  readonly documentation?: string | undefined;
  /** Replaces the text from `start` to `end`. */
  readonly text: string;
  /** Position in the list; by label if equal. */
  readonly rank: number;
}

/** Suggestions for a word of the text. */
export interface Suggestions {
  readonly start: number;
  readonly end: number;
  readonly items: readonly Suggestion[];
}
