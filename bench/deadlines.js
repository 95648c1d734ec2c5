// Measures how precisely a call ends at its deadline in each stage, and whether an answer shortly before it is used. Run after a build:
// node bench/deadlines.js [TIMES]. Exits 1 when a call ends more than 50 ms late, or early, or an answer in time is lost.
import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { callOnce, makePair, play, print, times } from './endpoints.js';

const count = Number(process.argv[2] ?? 100);
const atOnce = 10;
const seconds = 1;
// Timers have a resolution of one millisecond.
const earliestMs = seconds * 1000 - 1;
const latestMs = seconds * 1000 + 50;
// Go's dialer and its HTTP client share the deadline, and either may report it first.
const ending = /(context deadline exceeded|i\/o timeout)$/;
const hello = '{"kind":"connection","read":"client-hello","then":"hang"}';
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{';

let failures = 0;
const pair = await makePair();
const full = await fullBacklog();
await measure('connect', full.port);
full.close();
await stalled('handshake', hello);
await stalled('headers', '{"kind":"raw","bytes":"","then":"hang"}');
await stalled('body', `{"kind":"raw","bytes":${JSON.stringify(head)},"then":"hang"}`);
await stalled('drip', '{"kind":"http","dripMs":50,"body":"{}"}');
await inTime();
process.exitCode = failures > 0 ? 1 : 0;

async function stalled(phase, script) {
  const endpoint = await play(script, pair);
  await measure(phase, endpoint.port);
  await endpoint.close();
}

async function measure(phase, port) {
  const results = await times(count, atOnce, () => callOnce({ port, seconds, ca: pair.ca }));
  const wrong = results.filter(({ ms, message }) => ms > latestMs || ms < earliestMs || !ending.test(message));
  report(phase, results, wrong);
}

/** The answer arrives 100 ms before the deadline, counted from the start of the call; the time for connecting is subtracted. */
async function inTime() {
  const answered = delay => `{"kind":"http","headers":{"Content-Type":"application/json"},"body":"{}","delayMs":${delay}}`;
  const prompt = await play(answered(0), pair);
  const quick = await times(20, 4, () => callOnce({ port: prompt.port, seconds, ca: pair.ca }));
  await prompt.close();
  const usual = quick.map(({ ms }) => ms).sort((a, b) => a - b)[quick.length / 2] ?? 0;
  const endpoint = await play(answered(Math.round(seconds * 1000 - 100 - usual)), pair);
  const results = await times(count, 4, () => callOnce({ port: endpoint.port, seconds, ca: pair.ca }));
  const wrong = results.filter(({ outcome }) => outcome !== 'answered');
  report('answer 100 ms before', results, wrong);
  await endpoint.close();
}

function report(phase, results, wrong) {
  const sorted = results.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = part => (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0).toFixed(1);
  print(`${phase.padEnd(20)}  ${sorted.length} calls  median ${at(0.5)} ms  slowest ${at(1)} ms  ${wrong.length} wrong`);
  for (const { message, ms } of wrong.slice(0, 2)) print(`  ${ms.toFixed(1)} ms: ${message}`);
  failures += wrong.length;
}

/** A port that accepts no further connections: its listener never accepts, and its backlog is full. */
async function fullBacklog() {
  const code = `
    const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50);
    });`;
  const worker = new Worker(code, { eval: true });
  const [port] = await once(worker, 'message');
  await new Promise(resolve => setTimeout(resolve, 200));
  const fillers = [];
  for (let i = 0; i < 4; i++) fillers.push(connect(port, '127.0.0.1').on('error', () => {}));
  await new Promise(resolve => setTimeout(resolve, 200));
  return {
    port,
    close() {
      for (const socket of fillers) socket.destroy();
      void worker.terminate();
    },
  };
}
