import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { frameOf, opcodes } from '../../encoding/web-socket-frames.js';
import type { ForwardedPorts } from './exchange.js';
import { acceptWebSocket, readFrames } from './web-socket.js';

const protocol = 'v4.channel.k8s.io';

/**
 * Connects the ports of a pod to where they are mapped, as the kubelet of its node would: two channels for each port, one for data and one for an error, whose
 * first bytes are the port. Source: kubelet pkg/cri/streaming/portforward/websocket.go.
 */
export function forwardOverWebSocket(request: IncomingMessage, socket: Duplex, { pod, ports, addressOf }: ForwardedPorts): void {
  if (!acceptWebSocket(request, socket, protocol)) return;
  const sockets = new Map<number, Socket>();
  const end = (): void => {
    for (const each of sockets.values()) each.destroy();
    socket.destroy();
  };
  const close = (): void => {
    for (const each of sockets.values()) each.destroy();
    socket.end(frameOf(opcodes.close, Buffer.from([1000 >> 8, 1000 & 0xff])));
  };
  const send = (channel: number, payload: Uint8Array): boolean =>
    socket.writable && socket.write(frameOf(opcodes.binary, Buffer.concat([Buffer.from([channel]), payload])));
  const forward = (port: number, index: number): void => {
    const [data, error] = [2 * index, 2 * index + 1];
    const head = Buffer.from([port & 0xff, port >> 8]);
    send(data, head);
    send(error, head);
    const fail = (reason: string): void => {
      send(error, Buffer.from(`error forwarding port ${port} to pod ${pod}, uid : ${reason}`));
      close();
    };
    const address = addressOf(port);
    if (address === undefined) return void fail(`failed to connect to localhost:${port} inside namespace: connection refused`);
    const target = connect(address);
    sockets.set(data, target);
    target.on('data', bytes => {
      if (send(data, bytes)) return;
      target.pause();
      socket.once('drain', () => target.resume());
    });
    target.on('error', ({ message }) => fail(message));
    target.on('end', close);
  };
  socket.on('close', end);
  socket.on('error', end);
  readFrames(socket, {
    message: payload => void sockets.get(payload[0] ?? 0)?.write(payload.subarray(1)),
    pong: payload => void socket.write(frameOf(opcodes.pong, payload)),
    close,
  });
  for (const [index, port] of ports.entries()) forward(port, index);
}
