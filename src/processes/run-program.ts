import { endsBySignal, startChild } from './start-child.js';

/** A program whose output is collected. */
export interface RunnableProgram {
  readonly command: readonly [program: string, ...args: string[]];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Written to its stdin. */
  readonly input?: string;
  /** Its stdin is that of this process. */
  readonly usesTerminal?: boolean;
  readonly maxOutputBytes: number;
  readonly timeoutMs?: number;
  /** Receives its stderr; otherwise the last part of it is in the result. */
  readonly onStderr?: (text: string) => void;
}

/** How a program ended, or why it was ended. */
export type ProgramEnd =
  | {
      readonly outcome: 'exited';
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly stdout: Buffer;
      readonly stderr: string;
    }
  | { readonly outcome: 'not-started'; readonly error: NodeJS.ErrnoException }
  | { readonly outcome: 'too-much-output' }
  | { readonly outcome: 'timeout' };

/** Grace period of a program that takes too long or writes too much. */
const graceMs = 500;
const maxStderr = 64 * 1024;

/** Runs a program to its end. Never settles if this process ends by a signal meanwhile. */
export function runProgram({
  command: [file, ...args],
  cwd,
  env = process.env,
  input,
  maxOutputBytes,
  ...options
}: RunnableProgram): Promise<ProgramEnd> {
  const { usesTerminal = false, timeoutMs, onStderr } = options;
  const stdin = usesTerminal ? 'inherit' : input === undefined ? 'ignore' : 'pipe';
  return new Promise(resolve => {
    const child = startChild(file, args, { cwd, env, stdio: [stdin, 'pipe', 'pipe'], usesTerminal, endsWithSignals: true });
    const settle = (end: ProgramEnd): void => {
      clearTimeout(timer);
      if (!endsBySignal()) resolve(end);
    };
    const stop = (outcome: 'too-much-output' | 'timeout'): void => {
      settle({ outcome });
      void child.stop(graceMs);
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), timeoutMs);
    const chunks: Buffer[] = [];
    let length = 0;
    let stderr = '';
    child.process.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxOutputBytes) chunks.push(chunk);
      else if (length - chunk.length <= maxOutputBytes) stop('too-much-output');
    });
    child.process.stderr?.on('data', (chunk: Buffer) => {
      if (onStderr === undefined) stderr = (stderr + chunk.toString('utf8')).slice(-maxStderr);
      else onStderr(chunk.toString('utf8'));
    });
    // A program that does not read its input.
    child.process.stdin?.on('error', () => {});
    if (input !== undefined) child.process.stdin?.end(input);
    child.process.once('error', error => settle({ outcome: 'not-started', error }));
    child.process.once('close', (code, signal) => {
      child.forget();
      settle({ outcome: 'exited', code, signal, stdout: Buffer.concat(chunks), stderr });
    });
  });
}
