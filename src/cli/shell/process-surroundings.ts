import { randomUUID } from 'node:crypto';
import { fstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { type ExitCode, exitCodes } from './exit-codes.js';
import type { InputStream, OutputStream, Surroundings } from './surroundings.js';

/** Returns the surroundings of this process. Installs signal handlers: call it once. */
export function processSurroundings(): Surroundings {
  return {
    stdout: outputStream(() => process.stdout, isStdoutClosed),
    stderr: outputStream(() => process.stderr),
    stdin: inputStream(() => process.stdin),
    env: process.env,
    cwd: process.cwd(),
    now: () => new Date(),
    uid: () => randomUUID(),
    random: Math.random,
    onInterrupt: handleSignals(),
    importModule: url => import(url),
  };
}

/** Opens the stream lazily: a run without errors does not pay for stderr. */
function outputStream(
  streamOfProcess: () => Writable & { readonly isTTY?: boolean; readonly columns?: number },
  isClosed = (): boolean => false,
): OutputStream {
  let failure: NodeJS.ErrnoException | undefined;
  let opened: Writable | undefined;
  const open = (): Writable => {
    if (opened !== undefined) return opened;
    opened = streamOfProcess();
    // oclif's listener throws, which would end the process with a stack trace.
    opened.removeAllListeners('error');
    opened.on('error', (error: NodeJS.ErrnoException) => {
      failure ??= error;
    });
    return opened;
  };
  return {
    get isTerminal() {
      return streamOfProcess().isTTY === true;
    },
    get columns() {
      // Terminals without a size have 0.
      return streamOfProcess().columns || undefined;
    },
    write: text => {
      // After the reader closed the pipe (`| head`), the run continues without output.
      if (failure === undefined) open().write(text);
    },
    flush: async () => {
      if (failure === undefined && opened !== undefined) {
        const stream = opened;
        await new Promise<void>(resolve => {
          stream.write('', error => {
            failure ??= error ?? undefined;
            resolve();
          });
        });
      }
      if (failure !== undefined && failure.code !== 'EPIPE') throw failure;
      if (opened !== undefined && isClosed()) throw Object.assign(new Error('write EBADF'), { code: 'EBADF', syscall: 'write' });
    },
  };
}

/**
 * Returns whether this process was started without a stdout (`>&-`). Node opens /dev/null for reading and writing instead, as do many
 * programs that want no output of a child; a shell never does. Found only on Linux.
 */
function isStdoutClosed(): boolean {
  try {
    return (
      fstatSync(1).isCharacterDevice() &&
      isOpenNull('self') &&
      shells.test(readFileSync(`/proc/${process.ppid}/comm`, 'utf8')) &&
      !isOpenNull(`${process.ppid}`)
    );
  } catch {
    return false;
  }
}

/** Whether stdout of a process is /dev/null, open for reading and writing: the last octal digit of the flags is O_RDWR. dash closes its own stdout for a child. */
function isOpenNull(pid: string): boolean {
  const files = `/proc/${pid}/fd`;
  if (!readdirSync(files).includes('1') || readlinkSync(`${files}/1`) !== '/dev/null') return false;
  return /^flags:\s*\d*2$/m.test(readFileSync(`/proc/${pid}/fdinfo/1`, 'utf8'));
}

const shells = /^(?:sh|bash|dash|zsh|ksh|mksh|ash|busybox|fish)$/m;

interface Terminal {
  readonly isTTY?: boolean;
  readonly setRawMode?: (raw: boolean) => unknown;
}

function inputStream(streamOfProcess: () => Readable & Terminal): InputStream {
  return {
    get isTerminal() {
      return streamOfProcess().isTTY === true;
    },
    keys: () => readKeys(streamOfProcess()),
    chunks: () => streamOfProcess(),
    read: async limit => {
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of streamOfProcess()) {
        const bytes = Buffer.from(chunk);
        chunks.push(bytes);
        length += bytes.length;
        if (length > limit) throw Object.assign(new Error(`more than ${limit} bytes`), { code: 'EFBIG' });
      }
      return Buffer.concat(chunks);
    },
  };
}

async function* readKeys(stream: Readable & Terminal): AsyncGenerator<string> {
  stream.setRawMode?.(true);
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield* String(chunk);
  } finally {
    // A terminal that was closed cannot be reset.
    stream.once('error', () => {});
    stream.setRawMode?.(false);
    stream.pause();
  }
}

const longestCleanUpMs = 1500;

/** Node aborts at its regular end if the terminal that it resets was closed. */
function endBySignal(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

/**
 * The first signal cleans up and exits; a second one exits immediately. While there is nothing to clean up, no handler is installed: the
 * system ends the process, whatever it is computing. The first process of a container has no such default.
 */
function handleSignals(): Surroundings['onInterrupt'] {
  const cleanUps = new Map<() => Promise<void>, number>();
  let regularCode: ExitCode | undefined;
  let interrupted = false;
  const handle = (exitCode: number) => {
    if (interrupted) process.exit(exitCode);
    interrupted = true;
    const settled = Promise.allSettled([...cleanUps.keys()].map(cleanUp => cleanUp()));
    const patience = new Promise(resolve => setTimeout(resolve, Math.max(longestCleanUpMs, ...cleanUps.values())));
    void Promise.race([settled, patience]).then(() => process.exit(regularCode ?? exitCode));
  };
  const handlers = {
    SIGINT: () => handle(exitCodes.interrupted),
    SIGTERM: () => handle(exitCodes.terminated),
    SIGHUP: () => {
      const streams: readonly Terminal[] = [process.stdin, process.stdout, process.stderr];
      if (!interrupted && streams.some(({ isTTY }) => isTTY)) process.once('exit', endBySignal);
      handle(exitCodes.terminated);
    },
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const isFirstProcess = process.pid === 1;
  if (isFirstProcess) for (const signal of signals) process.on(signal, handlers[signal]);
  return (cleanUp, { longestMs = longestCleanUpMs, exitCode } = {}) => {
    regularCode ??= exitCode;
    if (cleanUps.size === 0 && !isFirstProcess) for (const signal of signals) process.on(signal, handlers[signal]);
    cleanUps.set(cleanUp, longestMs);
    return () => {
      cleanUps.delete(cleanUp);
      if (cleanUps.size === 0 && !interrupted && !isFirstProcess) for (const signal of signals) process.off(signal, handlers[signal]);
    };
  };
}
