import type { TransportError } from './transport-error.js';

/** Unread bytes of a stream, and how it ended. */
export interface Inbox {
  push(bytes: Buffer): void;
  /** Ends the stream; with an error if it broke. The first end counts. */
  end(error?: TransportError): void;
  /** Returns the next bytes; undefined at the end. Fails with the error of the end, every time. */
  read(): Promise<Buffer | undefined>;
  /** Returns whether nothing is unread and the stream goes on. */
  isQuiet(): boolean;
}

export function createInbox(): Inbox {
  const waiting: Buffer[] = [];
  let ended = false;
  let failure: TransportError | undefined;
  let wake: (() => void) | undefined;

  function changed(): void {
    wake?.();
    wake = undefined;
  }

  function next(): Buffer | undefined {
    const bytes = waiting.shift();
    if (bytes === undefined && failure !== undefined) throw failure;
    return bytes;
  }

  return {
    push(bytes) {
      waiting.push(bytes);
      changed();
    },
    end(error) {
      if (ended) return;
      ended = true;
      failure = error;
      changed();
    },
    read() {
      return new Promise((resolve, reject) => {
        const settle = (): void => {
          try {
            resolve(next());
          } catch (error) {
            reject(error);
          }
        };
        if (waiting.length > 0 || ended) settle();
        else wake = settle;
      });
    },
    isQuiet: () => waiting.length === 0 && !ended,
  };
}
