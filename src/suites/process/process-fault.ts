/** A failure of the process under test: it could not be started, never became ready, or exited unexpectedly. */
export class ProcessFault extends Error {
  override readonly name = 'ProcessFault';
  /** The last lines of its output, stdout and stderr interleaved; empty if there was none. */
  readonly output: readonly string[];

  constructor(message: string, output: readonly string[] = []) {
    super(message);
    this.output = output;
  }
}

/** Exit status for a message: `with exit code 3`, `by SIGKILL`. */
export function endOfProcess(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `with exit code ${code}` : `by ${signal}`;
}
