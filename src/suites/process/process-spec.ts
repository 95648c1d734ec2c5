/** The process of a webhook under test, as a suite describes it. */
export interface ProcessSpec {
  /** A program with its arguments, or a line for the shell. `${PORT}` stands for the port it is to listen on. */
  readonly command: readonly string[] | string;
  /** Added to the environment; `${PORT}` is replaced here, too. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working folder, absolute. */
  readonly cwd: string;
  /** How long it may take until it answers a review. */
  readonly readyTimeoutMs: number;
  /** How long it may take to end after SIGTERM. */
  readonly stopGraceMs: number;
}

/** A text with every `${PORT}` replaced: commands, environments, and the url of the suite, which has to name the same port. */
export function withPort(text: string, port: number): string {
  return text.replace(/\$\{PORT\}/g, String(port));
}

/** The command as one would type it, for sentences. */
export function commandLine({ command }: Pick<ProcessSpec, 'command'>): string {
  return typeof command === 'string'
    ? command
    : command.map(word => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}
