/** Part of a text, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A problem of a document, before it is a diagnostic of the protocol. Offsets are in UTF-16 units of the file. */
export interface TextProblem extends Range {
  readonly severity: 'error' | 'warning' | 'info';
  /** Whose message it is. */
  readonly source: 'kube-apiserver' | 'webhook-cli';
  /** Reason of a cause (`FieldValueRequired`), or the rule of lint. */
  readonly code?: string | undefined;
  /** Address of a page about the code. */
  readonly href?: string | undefined;
  readonly message: string;
}
