import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Ports of a pod, and where they lead to. */
export interface ForwardedPorts {
  /** `NAMESPACE/NAME` */
  readonly pod: string;
  readonly ports: readonly number[];
  /** Undefined where nothing listens. */
  readonly addressOf: (port: number) => { readonly host: string; readonly port: number } | undefined;
}

/** What happens at the port of a pod. */
export interface TargetEvents {
  /** Returns false when `drain` will be called before more may come. */
  readonly data: (bytes: Buffer) => boolean;
  readonly drain: (react: () => void) => void;
  /** Called once: with the message of the kubelet when the port cannot be reached. */
  readonly end: (failure?: string) => void;
}

/** Connects to the port of a pod, as the kubelet of its node would; returns undefined where nothing listens. Source: kubelet pkg/cri/streaming/portforward. */
export function connectToPort({ pod, addressOf }: ForwardedPorts, port: number, events: TargetEvents): Socket | undefined {
  let isOver = false;
  const end = (reason?: string): void => {
    if (isOver) return;
    isOver = true;
    events.end(reason === undefined ? undefined : `error forwarding port ${port} to pod ${pod}, uid : ${reason}`);
  };
  const address = addressOf(port);
  if (address === undefined) {
    end(`failed to connect to localhost:${port} inside namespace: connection refused`);
    return undefined;
  }
  const target = connect(address);
  target.on('data', bytes => {
    if (isOver || events.data(bytes)) return;
    target.pause();
    events.drain(() => target.resume());
  });
  target.on('error', ({ message }) => end(message));
  target.on('end', () => end());
  target.on('close', () => end());
  return target;
}

/** A source of bytes that can be made to wait. */
export interface Pausable {
  readonly pause: () => unknown;
  readonly resume: () => unknown;
}

/** Sends bytes to a port; a source that is faster has to wait. */
export function passTo(target: Socket, bytes: Uint8Array, source: Pausable): void {
  if (target.destroyed || bytes.length === 0 || target.write(bytes)) return;
  source.pause();
  if (target.listenerCount('drain') > 0) return;
  const goOn = (): void => {
    target.off('drain', goOn).off('close', goOn);
    source.resume();
  };
  target.on('drain', goOn).on('close', goOn);
}

/** Returns a function that calls others once, when a stream has sent what it holds. */
export function drainOf(stream: Duplex): (react: () => void) => void {
  const waiting: (() => void)[] = [];
  stream.on('drain', () => {
    for (const react of waiting.splice(0)) react();
  });
  return react => void waiting.push(react);
}
