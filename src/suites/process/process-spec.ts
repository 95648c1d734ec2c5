/** The process of a webhook under test, as described by a suite. */
export interface ProcessSpec {
  /** A program with its arguments, or a shell command line. `${PORT}` is replaced by the port to listen on. */
  readonly command: readonly string[] | string;
  /** Added to the environment; `${PORT}` is replaced here, too. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory, absolute. */
  readonly cwd: string;
  /** Timeout until it answers a review. */
  readonly readyTimeoutMs: number;
  /** Time allowed to exit after SIGTERM. */
  readonly stopGraceMs: number;
}

/** Replaces every `${PORT}` in a text: commands, environment variables, and the suite's url, which must use the same port. */
export function withPort(text: string, port: number): string {
  return text.replace(/\$\{PORT\}/g, String(port));
}

/** The command as typed in a shell, for messages. */
export function commandLine({ command }: Pick<ProcessSpec, 'command'>): string {
  return typeof command === 'string'
    ? command
    : command.map(word => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}
