import { request } from 'node:https';
import { connect } from 'node:tls';
import { answerUpgrade } from '../support/answer-upgrade.js';
import { group, type World } from './world.js';

const at = `/apis/${group}/v1/namespaces/shop/wares`;

/** Watches, other protocols, large bodies, and servers that do not answer. */
export async function playStreams(world: World): Promise<Record<string, unknown>> {
  const { backend, seen, ask, condition, must, masked } = world;
  const recorded: Record<string, unknown> = {};
  backend.onUpgrade = (request, socket) => answerUpgrade(request, socket, 'SPDY/3.1');
  seen();
  for (const [step, path, headers] of upgrades) {
    const received = masked(await sendRaw(world, path, headers));
    recorded[step] = { received, seen: seen() };
  }
  backend.answers.set(`${at}/events`, (_, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.write('{"type":"ADDED"}\n');
    backend.answers.set(`${at}/next`, (_request, other) => {
      response.write('{"type":"DELETED"}\n');
      other.end('sent');
    });
    response.on('close', () => ended());
  });
  let ended: () => void = () => undefined;
  const closed = new Promise<string>(resolve => {
    ended = () => resolve('closed');
  });
  recorded['watch'] = await watchTwoEvents(world);
  recorded['watch that the client ends'] = await closed;
  seen();
  const large = 'x'.repeat(5_000_000);
  const sent = await ask('POST', `${at}/echo`, { body: large });
  recorded['large body'] = [sent.status, sent.body.length, seen().map(({ body }) => body.length)];
  const chunked = await sendRaw(
    world,
    `${at}/echo`,
    ['Transfer-Encoding: chunked', 'Connection: close'],
    '5\r\nhello\r\n0\r\n\r\n',
    'POST',
  );
  recorded['chunked body'] = { last: chunked.slice(-30), seen: seen() };
  backend.answers.set(`${at}/slow`, () => undefined);
  const slow = await ask('GET', `${at}/slow?timeout=1s`);
  recorded['request that takes too long'] = { ...slow, seen: seen().map(({ line }) => line) };
  const services = '/api/v1/namespaces/shop/services/wares';
  await must('PATCH', services, { spec: { externalName: 'nowhere.invalid' } }, ['Content-Type: application/merge-patch+json']);
  recorded['unknown host'] = (await condition(`v1.${group}`, 'FailedDiscoveryCheck')).replace(/ on .*: /, ' on DNS: ');
  return recorded;
}

const upgrades: readonly (readonly [step: string, path: string, headers: readonly string[]])[] = [
  ['upgrade', `${at}/a/echo?x=1`, ['Connection: Upgrade', 'Upgrade: SPDY/3.1', 'X-Stream-Protocol-Version: v4', 'Content-Length: 0']],
  [
    'web socket with a token',
    `${at}/a/echo`,
    [
      'Connection: upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.YWRtaW4tdG9rZW4, v5',
      'User-Agent: browser',
      'Authorization:',
    ],
  ],
  ['refused upgrade', `${at}/a/refused`, ['Connection: Upgrade', 'Upgrade: SPDY/3.1']],
  ['upgrade that is none', `${at}/a/plain`, ['Connection: Upgrade', 'Upgrade: SPDY/3.1']],
  ['upgrade without an answer', `${at}/a/lost`, ['Connection: Upgrade', 'Upgrade: SPDY/3.1']],
];

/** Sends a request and then `ping`; returns all that is received. */
function sendRaw({ target }: World, path: string, headers: readonly string[], body = '', method = 'GET'): Promise<string> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(target.url).port), rejectUnauthorized: false });
    let received = '';
    const own = headers.includes('Authorization:') ? [] : [`Authorization: Bearer ${target.token}`];
    const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...own, ...headers.filter(header => header !== 'Authorization:')];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    socket.on('data', bytes => {
      if (received === '' && String(bytes).includes(' 101 ')) socket.write('ping');
      received += String(bytes);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received.replace(/^(?:Date: .*|Connection: close)\r\n/gim, '')));
    socket.setTimeout(5000, () => socket.destroy());
  });
}

/** Reads two events, the second of which is sent after the first was read. */
function watchTwoEvents(world: World): Promise<string[]> {
  const { target, ask } = world;
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${target.token}` };
    const sent = request(`${target.url}${at}/events`, { headers, rejectUnauthorized: false, agent: false }, response => {
      const events: string[] = [];
      response.on('data', chunk => {
        events.push(String(chunk));
        if (events.length === 1) void ask('GET', `${at}/next`);
        else {
          sent.destroy();
          resolve(events);
        }
      });
      response.on('error', () => undefined);
    });
    sent.on('error', reject);
    sent.end();
  });
}
