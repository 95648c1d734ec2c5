/** The process of a webhook under test, as described by a suite. */
export interface ProcessSpec {
  /** A program with its arguments, or a shell command line. `${PORT}` is replaced by the port to listen on. */
  readonly command: readonly string[] | string;
  /** Added to the environment; `${PORT}` is replaced here, too. */
  readonly env?: Readonly<Record<string, string>>;
  /** Number of free ports; 1 by default. */
  readonly ports?: number;
  /** The working directory, absolute. */
  readonly cwd: string;
  /** Timeout until it answers a review. */
  readonly readyTimeoutMs: number;
  /** Time allowed to exit after SIGTERM. */
  readonly stopGraceMs: number;
}

/**
 * Replaces `${PORT}`, `${PORT2}`, ... in a text: commands, environment variables, and the suite's addresses, which must use the same ports.
 */
export function withPorts(text: string, ports: readonly number[]): string {
  return text.replace(portWord, (word, number: string) => String(ports[Number(number || 1) - 1] ?? word));
}

/** Returns the number of ports that texts name: 1 for `${PORT}` or none, 2 for `${PORT2}`. */
export function portCount(texts: readonly string[]): number {
  const numbers = texts.flatMap(text => [...text.matchAll(portWord)].map(([, number]) => Number(number || 1)));
  return Math.max(1, ...numbers);
}

/** A process has at most nine ports. */
const portWord = /\$\{PORT([2-9]?)\}/g;

/** The command as typed in a shell, for messages. */
export function commandLine({ command }: Pick<ProcessSpec, 'command'>): string {
  return typeof command === 'string'
    ? command
    : command.map(word => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}
