import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  controlFrame,
  controls,
  dataFrame,
  finFlag,
  numbers,
  resetFrame,
  resetStatus,
  type SpdyPart,
  SpdyReader,
  streamOf,
} from '../../src/encoding/spdy/spdy-frames.js';
import { type SpdyHeaders, SpdyHeaderWriter } from '../../src/encoding/spdy/spdy-headers.js';
import { node, pod } from '../support/cluster-webhook.js';
import { type LocalCluster, startLocalCluster } from '../support/local-cluster.js';

let echo: Server;
let cluster: LocalCluster;

/** Forwards port 8443 of a pod to a server that sends back what it gets. */
beforeAll(async () => {
  echo = createServer(socket => socket.pipe(socket));
  await new Promise<void>(resolve => echo.listen(0, '127.0.0.1', resolve));
  const address = echo.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
  cluster = await startLocalCluster([namespace, node, pod('web-0', {})], new Map([['team/web-0:8443', { host: '127.0.0.1', port }]]));
});

afterAll(async () => {
  await cluster.close();
  await new Promise<void>(resolve => echo.close(() => resolve()));
});

const path = '/api/v1/namespaces/team/pods/web-0/portforward';

/** Sends a request for another protocol, as `kubectl port-forward` does. */
function request(method: string, headers: readonly string[]): TLSSocket {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(cluster.server.url).port), rejectUnauthorized: false });
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Authorization: Bearer admin-token', 'Connection: Upgrade', ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

const spdyHeaders = ['Upgrade: SPDY/3.1', 'X-Stream-Protocol-Version: portforward.k8s.io', 'Content-Length: 0'];

/** Client's side of SPDY. */
class Client {
  readonly #socket = request('POST', spdyHeaders);
  readonly #reader = new SpdyReader();
  readonly #headers = new SpdyHeaderWriter();
  #onChange: () => void = () => undefined;
  readonly received: SpdyPart[] = [];
  head = '';
  isClosed = false;

  constructor() {
    let all: Buffer = Buffer.alloc(0);
    this.#socket.on('data', (bytes: Buffer) => {
      all = Buffer.concat([all, bytes]);
      const end = all.indexOf('\r\n\r\n') + 4;
      if (this.head === '' && end > 3) {
        this.head = all.subarray(0, end).toString();
        all = all.subarray(end);
      }
      if (this.head === '') return;
      this.received.push(...this.#reader.read(all));
      all = Buffer.alloc(0);
      this.#onChange();
    });
    this.#socket.on('close', () => {
      this.isClosed = true;
      this.#onChange();
    });
  }

  send(...frames: Uint8Array[]): void {
    this.#socket.write(Buffer.concat(frames));
  }

  open(stream: number, headers: SpdyHeaders): void {
    this.send(controlFrame(controls.openStream, Buffer.concat([numbers(stream, 0), Buffer.alloc(2), this.#headers.write(headers)])));
  }

  /** Opens a connection to a port: a stream for errors, and the next one for data. */
  pair(first: number, port: number, id?: number): void {
    const more: SpdyHeaders = [['port', String(port)], ...(id === undefined ? [] : [['requestid', String(id)] as const])];
    for (const [i, type] of ['error', 'data'].entries()) this.open(first + 2 * i, [['streamtype', type], ...more]);
  }

  /** Returns the text that a stream has received. */
  text(stream: number): string {
    return this.received.map(part => (part.kind === 'data' && part.stream === stream ? part.bytes.toString() : '')).join('');
  }

  /** Returns the control frames of a type, as their streams. */
  controls(type: number): number[] {
    return this.received.flatMap(part => (part.kind === 'control' && part.type === type ? [streamOf(part.payload)] : []));
  }

  async until(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      if (this.isClosed) throw new Error('the connection was closed');
      await new Promise<void>(resolve => {
        this.#onChange = resolve;
      });
    }
  }

  async closed(): Promise<void> {
    if (!this.isClosed) await once(this.#socket, 'close');
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

async function withClient(work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client();
  try {
    await work(client);
  } finally {
    client.destroy();
  }
}

describe('pods/portforward over SPDY', () => {
  it('forwards several connections of one client, and answers its pings', async () => {
    await withClient(async client => {
      client.pair(1, 8443, 0);
      client.pair(5, 8443, 1);
      client.send(controlFrame(controls.ping, numbers(7)), dataFrame(7, Buffer.from('second')), dataFrame(3, Buffer.from('first')));
      await client.until(() => client.text(3) + client.text(7) === 'firstsecond' && client.controls(controls.ping).length > 0);
      expect(client.head).toContain('HTTP/1.1 101 Switching Protocols\r\n');
      expect(client.head).toContain('X-Stream-Protocol-Version: portforward.k8s.io\r\n');
      expect(client.controls(controls.reply)).toEqual([1, 3, 5, 7]);
      expect(client.controls(controls.ping)).toEqual([7]);
      // The end of one connection is not that of the others.
      client.send(dataFrame(3, Buffer.alloc(0), finFlag));
      await client.until(() =>
        [1, 3].every(stream => client.received.some(part => part.kind === 'data' && part.stream === stream && part.isLast)),
      );
      client.send(dataFrame(7, Buffer.from(' again')));
      await client.until(() => client.text(7) === 'second again');
      client.send(resetFrame(7, resetStatus.cancel), controlFrame(controls.goAway, numbers(0, 0)));
      await client.closed();
    });
  });

  it('forwards for clients that number no requests', async () => {
    await withClient(async client => {
      client.pair(1, 8443);
      client.pair(5, 8443);
      client.send(dataFrame(7, Buffer.from('b')), dataFrame(3, Buffer.from('a')));
      await client.until(() => client.text(3) + client.text(7) === 'ab');
    });
  });

  it('sends the message of a kubelet for a port on which nothing listens, and goes on with others', async () => {
    await withClient(async client => {
      client.pair(1, 9999, 0);
      await client.until(() => client.controls(controls.reset).length === 2);
      expect(client.text(1)).toBe(
        'error forwarding port 9999 to pod team/web-0, uid : failed to connect to localhost:9999 inside namespace: connection refused',
      );
      client.pair(5, 8443, 1);
      client.send(dataFrame(7, Buffer.from('a')));
      await client.until(() => client.text(7) === 'a');
    });
  });

  it.each<[string, number, SpdyHeaders]>([
    ['without a port', 1, [['streamtype', 'data']]],
    [
      'with port 0',
      1,
      [
        ['streamtype', 'data'],
        ['port', '0'],
      ],
    ],
    [
      'with port 65536',
      1,
      [
        ['streamtype', 'data'],
        ['port', '65536'],
      ],
    ],
    [
      'of another type',
      1,
      [
        ['streamtype', 'stdin'],
        ['port', '8443'],
      ],
    ],
    [
      'with the number of a server',
      2,
      [
        ['streamtype', 'data'],
        ['port', '8443'],
      ],
    ],
  ])('resets a stream %s', async (_, stream, headers) => {
    await withClient(async client => {
      client.open(stream, headers);
      await client.until(() => client.controls(controls.reset).length > 0);
      expect([client.controls(controls.reset), client.controls(controls.reply)]).toEqual([[stream], []]);
    });
  });

  it('resets a stream with a number again, and reports a second stream of one type', async () => {
    await withClient(async client => {
      client.pair(3, 8443, 0);
      client.open(3, [
        ['streamtype', 'data'],
        ['port', '8443'],
      ]);
      client.open(7, [
        ['streamtype', 'data'],
        ['port', '8443'],
        ['requestid', '0'],
      ]);
      await client.until(() => client.text(3) !== '');
      expect(client.controls(controls.reset)).toEqual([3]);
      expect(client.text(3)).toBe('error processing stream for request 0: data stream already assigned');
    });
  });

  it.each([
    ['headers that are not compressed', controlFrame(controls.openStream, Buffer.concat([numbers(1, 0), Buffer.from('..not zlib')]))],
    ['frames of SPDY 2', Buffer.from([0x80, 2, 0, 1, 0, 0, 0, 0])],
  ])('ends the connection of a client that sends %s', async (_, bytes) => {
    await withClient(async client => {
      client.send(bytes);
      await client.closed();
    });
  });
});

describe('pods/portforward in a protocol that is not known', () => {
  const webSocket = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
  it.each<[string, string, readonly string[], RegExp]>([
    [
      'none',
      'POST',
      ['Upgrade: SPDY/3.1'],
      /^HTTP\/1.1 400 .*unable to upgrade: header X-Stream-Protocol-Version does not exist in request with \d+ headers\n$/s,
    ],
    [
      'another one',
      'POST',
      ['Upgrade: SPDY/3.1', 'X-Stream-Protocol-Version: v2.example.com, a'],
      /^HTTP\/1.1 403 .*X-Accepted-Stream-Protocol-Versions: portforward.k8s.io.*unable to upgrade: unable to negotiate protocol: client supports \[v2.example.com a\], server accepts \[portforward.k8s.io\]\n$/s,
    ],
    [
      'another one than SPDY',
      'POST',
      ['Upgrade: h2c', 'X-Stream-Protocol-Version: portforward.k8s.io'],
      /^HTTP\/1.1 400 .*missing upgrade headers in request/s,
    ],
    [
      'a tunnel for others',
      'GET',
      [...webSocket, 'Sec-WebSocket-Protocol: SPDY/3.1+example.com'],
      /^HTTP\/1.1 400 .*no tunneling spdy protocols provided\n$/s,
    ],
    [
      'a tunnel for another one',
      'GET',
      [...webSocket, 'Sec-WebSocket-Protocol: SPDY/3.1+v2.k8s.io'],
      /^HTTP\/1.1 403 .*client supports \[v2.k8s.io\], server accepts/s,
    ],
    ['a WebSocket without channels', 'GET', [...webSocket, 'Sec-WebSocket-Protocol: example.com'], /^HTTP\/1.1 403 /s],
  ])('is refused: %s', async (_, method, headers, expected) => {
    const socket = request(method, headers);
    const chunks: Buffer[] = [];
    socket.on('data', chunk => chunks.push(chunk));
    await once(socket, 'close');
    expect(Buffer.concat(chunks).toString()).toMatch(expected);
  });
});
