import type { ExitCode } from './exit-codes.js';

/** The environment of a command. It is an argument, so that tests run commands in process. */
export interface Surroundings {
  /** For results only. */
  readonly stdout: OutputStream;
  /** For messages about the results. */
  readonly stderr: OutputStream;
  readonly stdin: InputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The absolute working directory, the base of relative paths. */
  readonly cwd: string;
  readonly now: () => Date;
  /** A random version 4 UUID. */
  readonly uid: () => string;
  /** In [0, 1). */
  readonly random: () => number;
  /**
   * Registers a cleanup for interruptions, and returns a function that removes it. The process exits when all cleanups have settled,
   * after two seconds, or `longestMs`, at the latest; with `exitCode` if an interruption is the regular end of the command.
   */
  readonly onInterrupt: (cleanUp: () => Promise<void>, options?: InterruptOptions) => () => void;
  /** Imports a module that is not part of this program, by its URL. */
  readonly importModule: (url: string) => Promise<unknown>;
  /** Folder in which this build of the program keeps parsed states; undefined where none are kept. */
  readonly stateCache?: string | undefined;
  /** Starts another thread of this program, which runs `serveThread`; undefined if the runtime does not support threads. */
  readonly startThread?: (() => Thread) | undefined;
}

/** The part of `Worker` that is used. */
export interface Thread {
  postMessage(message: unknown): void;
  on(event: 'message' | 'error' | 'exit', listener: (value: unknown) => void): unknown;
  terminate(): unknown;
}

/** Options of an interruption: how long it waits, and the exit code. */
export interface InterruptOptions {
  readonly longestMs?: number;
  readonly exitCode?: ExitCode;
}

export interface OutputStream {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Width of the terminal; undefined for files and pipes. */
  readonly columns?: number | undefined;
  /** Resolves when all output has left the process. Rejects with a system error other than EPIPE. */
  flush(): Promise<void>;
}

export interface InputStream {
  /** Reads everything; rejects with code `EFBIG` for more than `limit` bytes. */
  read(limit: number): Promise<Uint8Array>;
  /** Reads as much as has arrived each time, for input of any length. */
  chunks?(): AsyncIterable<Uint8Array>;
  readonly isTerminal: boolean;
  /** Keys pressed at a terminal, without echo; the terminal is restored at the end of the iteration. */
  keys?(): AsyncIterable<string>;
}
