import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { frameOf, opcodes } from '../../encoding/web-socket-frames.js';
import { readFrames } from '../http/web-socket.js';
import { connectToPort, drainOf, type ForwardedPorts, passTo } from './pod-target.js';

/** Name of the protocol in a WebSocket's handshake. */
export const servedChannelProtocol = 'v4.channel.k8s.io';

/**
 * Connects the ports of a pod to where they are mapped over an accepted WebSocket: two channels for each port, one for data and one for an error, whose first bytes are the
 * port. Source: kubelet pkg/cri/streaming/portforward/websocket.go.
 */
export function serveChannels(socket: Duplex, forwarded: ForwardedPorts): void {
  const targets = new Map<number, Socket>();
  const close = (): void => {
    for (const target of targets.values()) target.destroy();
    socket.end(frameOf(opcodes.close, Buffer.from([1000 >> 8, 1000 & 0xff])));
  };
  const send = (channel: number, payload: Uint8Array): boolean =>
    !socket.writable || socket.write(frameOf(opcodes.binary, Buffer.concat([Buffer.from([channel]), payload])));
  const onDrain = drainOf(socket);
  socket.on('close', () => {
    for (const target of targets.values()) target.destroy();
  });
  readFrames(socket, {
    message: payload => {
      const target = targets.get(payload[0] ?? 0);
      if (target !== undefined) passTo(target, payload.subarray(1), socket);
    },
    pong: payload => void socket.write(frameOf(opcodes.pong, payload)),
    close,
  });
  for (const [index, port] of forwarded.ports.entries()) {
    const [data, error] = [2 * index, 2 * index + 1];
    const head = Buffer.from([port & 0xff, port >> 8]);
    send(data, head);
    send(error, head);
    const target = connectToPort(forwarded, port, {
      data: bytes => send(data, bytes),
      drain: onDrain,
      end: failure => {
        if (failure !== undefined) send(error, Buffer.from(failure));
        close();
      },
    });
    if (target !== undefined) targets.set(data, target);
  }
}
