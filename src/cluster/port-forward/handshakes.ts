import { createHash, randomBytes } from 'node:crypto';
import { webSocketGuid } from '../../encoding/web-socket-frames.js';
import { ownMember } from '../../go/own-members.js';
import type { ClusterClient } from '../http/cluster-client.js';
import type { UpgradeAnswer } from '../http/upgrade.js';
import { type OpenPipe, socketPipe } from './byte-pipe.js';
import { channelProtocol, channelProtocolName } from './channel-protocol.js';
import type { PortProtocol } from './port-protocol.js';
import { shortLine } from './short-line.js';
import { portForwardName, spdyProtocol } from './spdy-protocol.js';
import { WebSocketClient } from './web-socket.js';

/** Result of a handshake: a connection and its protocol, an API server's refusal, or what was wrong with its agreement. */
export type Agreed =
  | { readonly outcome: 'upgraded'; readonly openPipe: OpenPipe; readonly protocol: PortProtocol }
  | HandshakeRefusal
  | { readonly outcome: 'invalid'; readonly fault: string };

export type HandshakeRefusal = Extract<UpgradeAnswer, { outcome: 'refused' }>;

type Upgraded = Extract<UpgradeAnswer, { outcome: 'upgraded' }>;

/** Name of SPDY within a WebSocket. Source: apimachinery pkg/util/portforward/constants.go. */
const tunnelName = `SPDY/3.1+${portForwardName}`;

/** Protocols over WebSockets. An API server that knows the first one takes it; others pass the request on to the kubelet, which knows the second. */
const webSocketProtocols = new Map<string, (port: number) => PortProtocol>([
  [tunnelName, spdyProtocol],
  [channelProtocolName, channelProtocol],
]);

/** Asks for a port of a pod over a WebSocket. Source: client-go tools/portforward/tunneling_dialer.go. */
export async function requestWebSocket(client: ClusterClient, path: string, port: number): Promise<Agreed> {
  const key = randomBytes(16).toString('base64');
  const offered = [...webSocketProtocols.keys()].join(', ');
  const headers = ['Sec-WebSocket-Key', key, 'Sec-WebSocket-Version', '13', 'Sec-WebSocket-Protocol', offered];
  const answer = await client.upgrade({ protocol: 'websocket', path, headers });
  if (answer.outcome === 'refused') return answer;
  const name = headerOf(answer, 'sec-websocket-protocol');
  const protocol = webSocketProtocols.get(name);
  const fault = webSocketFault(answer, key);
  if (fault !== undefined) return invalid(answer, fault);
  if (protocol === undefined) return invalid(answer, otherProtocol(name, [...webSocketProtocols.keys()].join(' or ')));
  return { outcome: 'upgraded', openPipe: events => new WebSocketClient(answer.socket, events), protocol: protocol(port) };
}

/** Asks for a port of a pod over SPDY. Source: client-go transport/spdy. */
export async function requestSpdy(client: ClusterClient, path: string, port: number): Promise<Agreed> {
  const headers = ['X-Stream-Protocol-Version', portForwardName];
  const answer = await client.upgrade({ protocol: 'SPDY/3.1', path, headers });
  if (answer.outcome === 'refused') return answer;
  if (headerOf(answer, 'upgrade').toLowerCase() !== 'spdy/3.1') return invalid(answer, 'it switches to another protocol than SPDY/3.1');
  const name = headerOf(answer, 'x-stream-protocol-version');
  // Servers without this header know only one protocol.
  if (name !== '' && name !== portForwardName) return invalid(answer, otherProtocol(name, portForwardName));
  return { outcome: 'upgraded', openPipe: events => socketPipe(answer.socket, events), protocol: spdyProtocol(port) };
}

function webSocketFault(answer: Upgraded, key: string): string | undefined {
  if (headerOf(answer, 'upgrade').toLowerCase() !== 'websocket') return 'it switches to another protocol than WebSocket';
  const accept = createHash('sha1').update(`${key}${webSocketGuid}`).digest('base64');
  return headerOf(answer, 'sec-websocket-accept') === accept ? undefined : 'its answer does not belong to the request';
}

function otherProtocol(name: string, expected: string): string {
  if (name === '') return `it does not support ${expected}`;
  return `it answers with the subprotocol ${JSON.stringify(shortLine(name))} instead of ${expected}`;
}

function invalid({ socket }: Upgraded, fault: string): Agreed {
  socket.destroy();
  return { outcome: 'invalid', fault };
}

function headerOf({ headers }: Upgraded, name: string): string {
  return [ownMember(headers, name) ?? []].flat().join(', ');
}
