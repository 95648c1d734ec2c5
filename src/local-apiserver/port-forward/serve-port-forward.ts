import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { frameOf, opcodes } from '../../encoding/web-socket-frames.js';
import { acceptWebSocket, asksForWebSocket, readFrames } from '../http/web-socket.js';
import { serveChannels, servedChannelProtocol } from './channel-ports.js';
import { drainOf, type ForwardedPorts } from './pod-target.js';
import { SpdyPorts, type SpdyWire } from './spdy-ports.js';

/** Name of the protocol of the streams. Source: apimachinery pkg/util/portforward/constants.go. */
const portForward = 'portforward.k8s.io';
/** SPDY within a WebSocket. */
const tunnelPrefix = 'SPDY/3.1+';

/** What a request asks for, and how an API server takes it. */
export interface PortForwarding {
  readonly forwarded: ForwardedPorts;
  /** Whether the API server knows SPDY within a WebSocket; otherwise WebSockets are the kubelet's. */
  readonly hasTunnels: boolean;
}

/**
 * Takes over the connection of an admitted request for ports of a pod, in each of the protocols of an API server: SPDY, SPDY in the messages of a WebSocket, and the channels
 * of a kubelet over a WebSocket. Source: kubernetes pkg/registry/core/pod/rest/subresources.go PortForwardREST, apiserver pkg/util/proxy/streamtunnel.go.
 */
export function servePortForward(request: IncomingMessage, socket: Duplex, { forwarded, hasTunnels }: PortForwarding): void {
  if (!asksForWebSocket(request)) return void serveSpdy(request, socket, forwarded);
  const names = (request.headers['sec-websocket-protocol'] ?? '').split(',').map(name => name.trim());
  if (!(hasTunnels && names.some(name => name.startsWith(tunnelPrefix)))) {
    if (acceptWebSocket(request, socket, servedChannelProtocol)) serveChannels(socket, forwarded);
    return;
  }
  const offered = names
    .filter(name => name.startsWith('SPDY/3.1+') && name.endsWith('.k8s.io'))
    .map(name => name.slice('SPDY/3.1+'.length));
  if (offered.length === 0) return void refuse(socket, 400, 'unable to upgrade: no tunneling spdy protocols provided\n');
  if (!offered.includes(portForward)) return void refuseProtocol(socket, offered);
  if (!acceptWebSocket(request, socket, `${tunnelPrefix}${portForward}`)) return;
  const close = (): void => void socket.end(frameOf(opcodes.close, Buffer.from([1000 >> 8, 1000 & 0xff])));
  const ports = openPorts(socket, { send: bytes => socket.write(frameOf(opcodes.binary, bytes)), close }, forwarded);
  readFrames(socket, {
    message: payload => ports.receive(payload),
    pong: payload => void socket.write(frameOf(opcodes.pong, payload)),
    close,
  });
}

/** Source: streaming pkg/httpstream Handshake, spdy/upgrade.go. */
function serveSpdy({ headers, rawHeaders }: IncomingMessage, socket: Duplex, forwarded: ForwardedPorts): void {
  const [header] = [headers['x-stream-protocol-version'] ?? []].flat();
  if (header === undefined) {
    const text = `header X-Stream-Protocol-Version does not exist in request with ${rawHeaders.length / 2} headers`;
    return void refuse(socket, 400, `unable to upgrade: ${text}\n`);
  }
  const offered = header
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
  if (!offered.includes(portForward)) return void refuseProtocol(socket, offered);
  if (headers.upgrade?.toLowerCase().includes('spdy/3.1') !== true)
    return void refuse(socket, 400, 'unable to upgrade: missing upgrade headers in request\n');
  const lines = ['Connection: Upgrade', 'Upgrade: SPDY/3.1', `X-Stream-Protocol-Version: ${portForward}`];
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
  const ports = openPorts(socket, { send: bytes => socket.write(bytes), close: () => void socket.end() }, forwarded);
  socket.on('data', (bytes: Buffer) => ports.receive(bytes));
}

function openPorts(socket: Duplex, { send, close }: Pick<SpdyWire, 'send' | 'close'>, forwarded: ForwardedPorts): SpdyPorts {
  const wire: SpdyWire = {
    send: bytes => !socket.writable || send(bytes),
    onDrain: drainOf(socket),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close,
  };
  const ports = new SpdyPorts(wire, forwarded);
  socket.on('end', () => socket.end());
  socket.on('close', () => ports.end());
  return ports;
}

function refuseProtocol(socket: Duplex, offered: readonly string[]): void {
  const text = `unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${portForward}]`;
  refuse(socket, 403, `unable to upgrade: ${text}\n`, [`X-Accepted-Stream-Protocol-Versions: ${portForward}`]);
}

function refuse(socket: Duplex, code: number, text: string, headers: readonly string[] = []): void {
  const length = `Content-Length: ${Buffer.byteLength(text)}`;
  const lines = ['Content-Type: text/plain; charset=utf-8', 'X-Content-Type-Options: nosniff', ...headers, length, 'Connection: close'];
  socket.end(`HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
}
