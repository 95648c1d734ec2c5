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
    async read() {
      while (waiting.length === 0 && !ended) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
      const next = waiting.shift();
      if (next === undefined && failure !== undefined) throw failure;
      return next;
    },
    isQuiet: () => waiting.length === 0 && !ended,
  };
}
