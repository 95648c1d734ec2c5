import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers a request for another protocol by its path: /lost, /plain, /refused; otherwise accepts it. */
export function answerUpgrade({ url = '' }: IncomingMessage, socket: Duplex, protocol: 'websocket' | 'SPDY/3.1'): void {
  socket.on('error', () => undefined);
  if (url.includes('/lost')) return void socket.destroy();
  if (url.includes('/plain')) return void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  if (url.includes('/refused'))
    return void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: 3\r\nX-Own: a\r\n\r\nno\n');
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nX-Own: a\r\n\r\nearly `);
  socket.on('data', bytes => socket.end(`got ${String(bytes)}`));
}
