// Measures endless answers and decompression bombs, each call in a separate process.
// Run after a build: node bench/hostile.js. Exits 1 when a call takes 2 s, its process 200 MB, or when there is no error message.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { createGzip, gzipSync } from 'node:zlib';
import { callOnce, makePair, print } from './endpoints.js';

const mebibyte = 1024 * 1024;
const mostMs = 2000;
const mostMegabytes = 200;
const spaces = Buffer.alloc(mebibyte, 0x20);

if (process.argv[2] === '--call') await callAndTell(Number(process.argv[3]));
else await measureAll();

async function callAndTell(port) {
  const { ms, message } = await callOnce({ port, seconds: 10, ca: process.env.BENCH_CA });
  print(JSON.stringify({ ms, message: message.slice(0, 200), megabytes: process.resourceUsage().maxRSS / 1024 }));
}

async function measureAll() {
  const pair = await makePair();
  const bomb = await gibibyteOfSpaces();
  const tinyChunks = Buffer.from('1\r\n \r\n'.repeat(15_000));
  const tinyFields = Buffer.from('a:b\r\n'.repeat(100_000));
  const tinyMembers = Buffer.concat(new Array(1_000).fill(gzipSync(' ')));
  const rubbish = Buffer.alloc(mebibyte, 0xff);
  const attacks = [
    ['an ordinary answer', { head: 'Content-Length: 2\r\n\r\n', chunk: Buffer.from('{}'), count: 1 }, /^200$/],
    ['1 GiB body', { head: `Content-Length: ${1024 * mebibyte}\r\n\r\n`, chunk: spaces, count: 1024 }, /no such limit/],
    ['endless body', { head: '\r\n', chunk: spaces, count: Number.POSITIVE_INFINITY }, /no such limit/],
    ['bomb of 1 GiB', { head: `Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`, chunk: bomb, count: 1 }, /no such limit/],
    ['endless bomb', { head: 'Content-Encoding: gzip\r\n\r\n', chunk: gzipSync(spaces), count: Number.POSITIVE_INFINITY }, /no such limit/],
    ['bytes as members', { head: 'Content-Encoding: gzip\r\n\r\n', chunk: tinyMembers, count: Number.POSITIVE_INFINITY }, /no such limit/],
    ['1.5 million chunks', { head: 'Transfer-Encoding: chunked\r\n\r\n', chunk: tinyChunks, count: 100, end: '0\r\n\r\n' }, /^200$/],
    ['2 million fields', { head: '', chunk: tinyFields, count: 20, end: 'Content-Length: 2\r\n\r\n{}' }, /no such limit/],
    ['8 MiB status line', { start: '', head: '', chunk: rubbish, count: 8, end: '\n' }, /malformed HTTP response/],
    ['11 MiB of headers', { head: '', chunk: Buffer.from(`X: ${'x'.repeat(1019)}\r\n`.repeat(1024)), count: 11 }, /headers exceeded/],
  ];
  for (const [name, attack, wanted] of attacks) {
    const { ms, message, megabytes } = await underAttack(attack, pair);
    const isFine = ms < mostMs && megabytes < mostMegabytes && wanted.test(message);
    print(
      `${name.padEnd(20)}  ${ms.toFixed(0).padStart(5)} ms  ${megabytes.toFixed(0).padStart(4)} MB  ${isFine ? 'fine ' : 'WRONG'}  ${message}`,
    );
    if (!isFine) process.exitCode = 1;
  }
}

async function underAttack(attack, pair) {
  const server = createServer({ cert: pair.cert, key: pair.key }, socket => {
    socket.on('error', () => {});
    socket.once('data', () => void send(socket, attack));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const program = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [program, '--call', String(server.address().port)], {
    env: { ...process.env, BENCH_CA: pair.ca },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await once(child.stdout, 'data');
  await once(child, 'exit');
  server.close();
  return JSON.parse(String(output));
}

async function send(socket, { start = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n', head, chunk, count, end }) {
  socket.write(start + head);
  for (let i = 0; i < count && !socket.destroyed; i++) {
    if (!socket.write(chunk)) await drained(socket);
  }
  if (!socket.destroyed) socket.end(end);
}

function drained(socket) {
  return new Promise(resolve => {
    const goOn = () => {
      socket.off('drain', goOn).off('close', goOn);
      resolve();
    };
    socket.on('drain', goOn).on('close', goOn);
  });
}

async function gibibyteOfSpaces() {
  const gzip = createGzip();
  const packed = gzip.toArray();
  for (let i = 0; i < 1024; i++) if (!gzip.write(spaces)) await once(gzip, 'drain');
  gzip.end();
  return Buffer.concat(await packed);
}
