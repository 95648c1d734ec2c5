/** Kinds of user mistakes. Scripts may rely on the names: `code` of the Error document. */
export type CliErrorCode =
  /** Unknown, contradictory or invalid flags and arguments. */
  | 'usage'
  /** A planned feature that does not exist yet. */
  | 'not-there-yet'
  /** A file, folder or stdin that cannot be read. */
  | 'unreadable-file'
  /** Invalid YAML or JSON. */
  | 'invalid-syntax'
  /** Valid YAML or JSON that is not a Kubernetes object, or not the required one. */
  | 'invalid-manifest'
  /** A kind that neither Kubernetes nor the definitions of the state have. */
  | 'unknown-kind'
  /** No input to work on. */
  | 'no-objects'
  /** An object that the call needs is missing in the state. */
  | 'incomplete-state'
  /** A webhook configuration, a suite or a bundle that no API server accepts. */
  | 'invalid-configuration'
  /** Certificates or keys that cannot be used. */
  | 'invalid-certificate'
  /** A kubeconfig that cannot be read, or does not say how to reach a cluster. */
  | 'invalid-kubeconfig'
  /** A cluster that cannot be reached in time. */
  | 'cluster-unreachable'
  /** A cluster that does not accept the credentials, or refuses to be read. */
  | 'cluster-refused'
  /** A pod of a cluster that cannot be reached through its API server. */
  | 'forward-failed'
  /** Output that cannot be written: a full disk, missing permission. */
  | 'write-failed';

/** A position in a file; line and column start at 1. */
export interface Location {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export interface CliErrorDetails {
  readonly location?: Location | undefined;
  /** What to do, each in the imperative and without a full stop: `pass the CustomResourceDefinition with --state`. */
  readonly suggestions?: readonly string[] | undefined;
  readonly cause?: unknown;
  /** Further errors, found in the same run. */
  readonly others?: readonly CliError[] | undefined;
}

/** A user mistake: what is wrong, where, and what to do. Any other exception is a bug. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode;
  readonly location: Location | undefined;
  readonly suggestions: readonly string[];
  readonly others: readonly CliError[];

  constructor(code: CliErrorCode, message: string, { location, suggestions = [], cause, others = [] }: CliErrorDetails = {}) {
    super(message, { cause });
    this.code = code;
    this.location = location;
    this.suggestions = suggestions;
    this.others = others;
  }
}

/** Returns the error for an invalid value of a flag. */
export function invalidFlag(flag: string, value: string, expected: string): CliError {
  return new CliError('usage', `invalid --${flag} ${JSON.stringify(value)}: expected ${expected}`);
}

/** Prints a position, `pod.yaml:4:3`, as far as it is known. */
export function printLocation({ file, line, column }: Location): string {
  return [file, line, column].filter(part => part !== undefined).join(':');
}
