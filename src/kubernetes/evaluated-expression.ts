/** A CEL expression of a policy or a match condition, and the values of its parts. */
export interface EvaluatedExpression {
  readonly text: string;
  /** The expression first, then its parts, each after what it belongs to. Values that loops computed are the last ones. */
  readonly parts: readonly EvaluatedPart[];
}

export interface EvaluatedPart {
  readonly text: string;
  readonly value: string;
  /** 0 for the whole expression. */
  readonly depth: number;
}
