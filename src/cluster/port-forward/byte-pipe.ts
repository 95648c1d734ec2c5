import type { UpgradedSocket } from '../http/upgrade.js';

/** Connection to an API server after the handshake. Nothing is read before the first `resume`. */
export interface BytePipe {
  /** Sends bytes, as one message where the connection has messages. Returns whether more may be sent now. */
  readonly send: (bytes: Uint8Array) => boolean;
  readonly onDrain: (react: () => void) => void;
  /** Stops reading, so that the server has to wait. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly close: () => void;
  /** Sets whether the connection keeps the process alive. */
  readonly hold: (held: boolean) => void;
}

/** What a pipe receives. */
export interface PipeEvents {
  /** Called with a message, or with some bytes where the connection has no messages. */
  readonly onBytes: (bytes: Buffer) => void;
  /** Called once, unless this side closes first. */
  readonly onEnd: (how: PipeEnd) => void;
}

/** `closed`: the server closed it; `lost`: the connection ended without that; otherwise what the server did wrong. */
export type PipeEnd = 'closed' | 'lost' | { readonly fault: string };

export type OpenPipe = (events: PipeEvents) => BytePipe;

/** Returns the pipe of a connection whose bytes are those of the protocol. */
export function socketPipe(socket: UpgradedSocket, { onBytes, onEnd }: PipeEvents): BytePipe {
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    onEnd('lost');
    socket.destroy();
  };
  socket.on('data', (bytes: Buffer) => void (isOver || onBytes(bytes)));
  socket.on('end', end);
  socket.on('close', end);
  socket.pause();
  return {
    send: bytes => isOver || socket.write(bytes),
    onDrain: react => void socket.once('drain', react),
    pause: () => void socket.pause(),
    resume: () => void (isOver || socket.resume()),
    close: () => {
      if (isOver) return;
      isOver = true;
      socket.end(() => socket.destroy());
      socket.unref?.();
    },
    hold: held => void (held ? socket.ref?.() : socket.unref?.()),
  };
}
