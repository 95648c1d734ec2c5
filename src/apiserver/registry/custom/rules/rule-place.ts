/** Where a value stands that rules are about. */
export interface RulePlace {
  /** Its field; empty for a whole object. */
  readonly path: string;
  readonly isResourceRoot: boolean;
  /** Takes what is only warned about: rules that do not hold for what did not change. */
  readonly warn: (text: string) => void;
}
