import { allowed, answer, broken, connection, ending, type Fault, raw, type Setting, w1 } from './fault.js';

const reset = 'read tcp 127.0.0.1:CLIENT->127.0.0.1:PORT: read: connection reset by peer';
const oneSecond: Setting = { timeoutSeconds: 1 };

function at(name: string, url: string, decision: Fault['decision'], message: string): Fault {
  return { name, script: answer(allowed), decision, message: w1(message, { url }), setting: { url } };
}

/** Group A: address and TCP, as far as loopback supports them. */
export const connectionFaults: readonly Fault[] = [
  {
    name: 'connection refused',
    script: { kind: 'refuse' },
    decision: 'tcp',
    message: w1('dial tcp 127.0.0.1:PORT: connect: connection refused'),
  },
  {
    name: 'connection refused on IPv6',
    script: { kind: 'refuse' },
    decision: 'tcp',
    message: w1('dial tcp [::1]:PORT: connect: connection refused', { host: '[::1]' }),
    setting: { host: '[::1]' },
  },
  at(
    'host label longer than 63 characters',
    `https://${'a'.repeat(64)}.example.com:PORT/w`,
    'dns',
    `dial tcp: lookup ${'a'.repeat(64)}.example.com: no such host`,
  ),
  // A multicast address: connecting fails without using the network.
  at('unreachable network', 'https://224.0.0.1:PORT/w', 'tcp', 'dial tcp 224.0.0.1:PORT: connect: network is unreachable'),
  at('port beyond 65535', 'https://127.0.0.1:99999/w', 'tcp', 'dial tcp: address 99999: invalid port'),
  at('port 0', 'https://127.0.0.1:0/w', 'tcp', 'dial tcp 127.0.0.1:0: connect: connection refused'),
  at('URL without a host', 'https:///w', 'http', 'http: no Host in request URL'),
  // The tests run with an unreachable proxy in the environment.
  ...['HTTPS_PROXY in the environment', 'HTTPS_PROXY without NO_PROXY in the environment'].map(
    (name): Fault => ({ name, script: answer(allowed), decision: 'allowed', message: '' }),
  ),
  {
    name: 'no timeoutSeconds',
    script: { kind: 'refuse' },
    decision: 'tcp',
    message: w1('dial tcp 127.0.0.1:PORT: connect: connection refused'),
    setting: { timeoutSeconds: 'unset' },
  },
  { name: 'connection closed during the handshake', script: connection('client-hello', '', 'close'), decision: 'tcp', message: w1('EOF') },
  { name: 'connection reset during the handshake', script: connection('client-hello', '', 'reset'), decision: 'tcp', message: w1(reset) },
  {
    name: 'connection half-closed during the handshake',
    script: connection('client-hello', '', 'half-close'),
    decision: 'tcp',
    message: w1('EOF'),
  },
  { name: 'connection reset after the client hello', script: connection('client-hello', '', 'reset'), decision: 'tcp', message: w1(reset) },
  {
    name: 'server that never reads',
    script: connection('nothing', '', 'hang'),
    decision: 'time',
    message: w1('context deadline exceeded', oneSecond),
    setting: oneSecond,
  },
  {
    name: 'no answer before the deadline',
    script: connection('client-hello', '', 'hang'),
    decision: 'time',
    message: w1('context deadline exceeded', oneSecond),
    setting: oneSecond,
  },
  {
    name: 'no answer before the deadline',
    script: raw('', 'hang'),
    decision: 'time',
    message: w1('context deadline exceeded', oneSecond),
    setting: oneSecond,
  },
  {
    name: 'no answer before the deadline',
    script: answer(allowed, { bodyDelayMs: 5000 }),
    decision: 'time',
    message: broken('context deadline exceeded'),
    setting: oneSecond,
  },
  // A second before the deadline; bench/deadlines measures smaller differences on an idle machine.
  {
    name: 'answer a second before the deadline',
    script: answer(allowed, { delayMs: 2000 }),
    decision: 'allowed',
    message: '',
    setting: { timeoutSeconds: 3 },
  },
  {
    name: 'answer after the deadline',
    // Time that this process loses on a busy machine does not count.
    script: answer(allowed, { delayMs: 3000 }),
    decision: 'time',
    message: w1('context deadline exceeded', oneSecond),
    setting: oneSecond,
  },
  {
    name: 'slow body beyond the deadline',
    script: answer(allowed, { dripMs: 100 }),
    decision: 'time',
    message: w1('context deadline exceeded', oneSecond),
    setting: oneSecond,
  },
  {
    name: 'body cut off by the deadline',
    script: raw('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n', 'hang'),
    decision: 'time',
    message: broken('context deadline exceeded'),
    setting: oneSecond,
  },
  { name: 'connection left open after the answer', script: answer(allowed, ending('hang')), decision: 'allowed', message: '' },
];
