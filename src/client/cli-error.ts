import { type ExitCode, exitCodes } from '../cli/exit-codes.js';

/** What a user can get wrong. Scripts may rely on the names: `code` of the Error document. */
export type CliErrorCode = keyof typeof exitCodeOfError;

/** A place in a file, counted from 1. */
export interface Location {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export interface CliErrorDetails {
  readonly location?: Location | undefined;
  /** What to do about it, each in the imperative and without a full stop: `pass the CustomResourceDefinition with --state`. */
  readonly suggestions?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/** A mistake of the user's: what is wrong, where, and what to do. Anything else that is thrown is a bug of ours. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode;
  readonly exitCode: ExitCode;
  readonly location: Location | undefined;
  readonly suggestions: readonly string[];

  constructor(code: CliErrorCode, message: string, { location, suggestions = [], cause }: CliErrorDetails = {}) {
    super(message, { cause });
    this.code = code;
    this.exitCode = exitCodeOfError[code];
    this.location = location;
    this.suggestions = suggestions;
  }
}

/** Error for an invalid value of a flag. */
export function invalidFlag(flag: string, value: string, expected: string): CliError {
  return new CliError('usage', `invalid --${flag} ${JSON.stringify(value)}: expected ${expected}`);
}

/** `pod.yaml:4:3`, as far as it is known. */
export function printLocation({ file, line, column }: Location): string {
  return [file, line, column].filter(part => part !== undefined).join(':');
}

const exitCodeOfError = {
  /** Flags and arguments that are unknown, contradict each other or have no sensible value. */
  usage: exitCodes.usage,
  /** What the command line names is planned and not there yet. */
  'not-there-yet': exitCodes.usage,
  /** A file, folder or stdin that cannot be read. */
  'unreadable-file': exitCodes.input,
  /** Text that is no YAML or no JSON. */
  'invalid-syntax': exitCodes.input,
  /** Text that is well formed and no Kubernetes object, or not the one that is needed. */
  'invalid-manifest': exitCodes.input,
  /** A kind that neither Kubernetes nor the definitions of the state know. */
  'unknown-kind': exitCodes.input,
  /** Nothing there to work on. */
  'no-objects': exitCodes.input,
  /** The state lacks something that the call needs. */
  'incomplete-state': exitCodes.input,
  /** A configuration of webhooks, a suite or a bundle that no API server would accept. */
  'invalid-configuration': exitCodes.input,
  /** Certificates or keys that cannot be used. */
  'invalid-certificate': exitCodes.input,
  /** Our own writing failed: a full disk, a folder without permission. */
  'write-failed': exitCodes.writeFailed,
} satisfies Record<string, ExitCode>;
