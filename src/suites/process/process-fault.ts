/** What went wrong with the process under test: it could not be started, was never ready, or ended unasked. */
export class ProcessFault extends Error {
  override readonly name = 'ProcessFault';
  /** The last lines it wrote, stdout and stderr as they came; empty when it wrote nothing. */
  readonly output: readonly string[];

  constructor(message: string, output: readonly string[] = []) {
    super(message);
    this.output = output;
  }
}

/** How a process ended, for a sentence: `with exit code 3`, `by SIGKILL`. */
export function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `with exit code ${code}` : `by ${signal}`;
}
