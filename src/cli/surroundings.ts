import type { ExitCode } from './exit-codes.js';

/** What a command sees of the machine: handed in, so that tests need no process of their own. */
export interface Surroundings {
  /** Results go here, and nothing else. */
  readonly stdout: OutputStream;
  /** Everything about the results goes here. */
  readonly stderr: OutputStream;
  readonly stdin: InputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder, absolute: relative paths of the command line start here. */
  readonly cwd: string;
  readonly now: () => Date;
  /** A random version 4 UUID. */
  readonly uid: () => string;
  /** At least 0, below 1. */
  readonly random: () => number;
  /**
   * What to clean up when the user interrupts; answers how to forget it again. The process exits when all of them have
   * settled, and after two seconds at the latest; with `exitCode` where interrupting is the regular end of the command.
   */
  readonly onInterrupt: (cleanUp: () => Promise<void>, exitCode?: ExitCode) => () => void;
}

export interface OutputStream {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Settles when all that was written has left the process. Rejects with a system error other than EPIPE. */
  flush(): Promise<void>;
}

export interface InputStream {
  /** Everything there is to read, at most `limit` bytes; more is an error with code `EFBIG`. */
  read(limit: number): Promise<Uint8Array>;
  readonly isTerminal: boolean;
  /** Of a terminal, the keys as they are pressed, without echo; the terminal is as before once nobody listens any more. */
  keys?(): AsyncIterable<string>;
}
