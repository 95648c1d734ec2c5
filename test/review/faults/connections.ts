import { allowed, answer, broken, connection, ending, type Fault, raw, type Setting, w1 } from './fault.js';

const reset = 'read tcp 127.0.0.1:CLIENT->127.0.0.1:PORT: read: connection reset by peer';
const oneSecond: Setting = { timeoutSeconds: 1 };

function at(row: string, url: string, verdict: Fault['verdict'], words: string): Fault {
  return { row, script: answer(allowed), verdict, message: w1(words, { url }), setting: { url } };
}

/** Group A: address and TCP, as far as loopback has them. */
export const connectionFaults: readonly Fault[] = [
  { row: 'A01', script: { kind: 'refuse' }, verdict: 'tcp', message: w1('dial tcp 127.0.0.1:PORT: connect: connection refused') },
  {
    row: 'A02',
    script: { kind: 'refuse' },
    verdict: 'tcp',
    message: w1('dial tcp [::1]:PORT: connect: connection refused', { host: '[::1]' }),
    setting: { host: '[::1]' },
  },
  at('A06', `https://${'a'.repeat(64)}.example.com:PORT/w`, 'dns', `dial tcp: lookup ${'a'.repeat(64)}.example.com: no such host`),
  // A group's address: no machine connects to one, nor asks the network.
  at('A07', 'https://224.0.0.1:PORT/w', 'tcp', 'dial tcp 224.0.0.1:PORT: connect: network is unreachable'),
  at('A15', 'https://127.0.0.1:99999/w', 'tcp', 'dial tcp: address 99999: invalid port'),
  at('A16', 'https://127.0.0.1:0/w', 'tcp', 'dial tcp 127.0.0.1:0: connect: connection refused'),
  at('A17', 'https:///w', 'http', 'http: no Host in request URL'),
  // The table is played with a proxy in the environment that does not answer.
  ...['A21', 'A22'].map((row): Fault => ({ row, script: answer(allowed), verdict: 'allowed', message: '' })),
  {
    row: 'T08',
    script: { kind: 'refuse' },
    verdict: 'tcp',
    message: w1('dial tcp 127.0.0.1:PORT: connect: connection refused'),
    setting: { timeoutSeconds: 'unset' },
  },
  { row: 'A10', script: connection('client-hello', '', 'close'), verdict: 'tcp', message: w1('EOF') },
  { row: 'A11', script: connection('client-hello', '', 'reset'), verdict: 'tcp', message: w1(reset) },
  { row: 'A12', script: connection('client-hello', '', 'half-close'), verdict: 'tcp', message: w1('EOF') },
  { row: 'A13', script: connection('client-hello', '', 'reset'), verdict: 'tcp', message: w1(reset) },
  {
    row: 'A14',
    script: connection('nothing', '', 'hang'),
    verdict: 'time',
    message: w1('context deadline exceeded', oneSecond),
    setting: oneSecond,
  },
  {
    row: 'T01',
    script: connection('client-hello', '', 'hang'),
    verdict: 'time',
    message: w1('context deadline exceeded', oneSecond),
    setting: oneSecond,
  },
  { row: 'T01', script: raw('', 'hang'), verdict: 'time', message: w1('context deadline exceeded', oneSecond), setting: oneSecond },
  {
    row: 'T01',
    script: answer(allowed, { bodyDelayMs: 5000 }),
    verdict: 'time',
    message: broken('context deadline exceeded'),
    setting: oneSecond,
  },
  // A second before the deadline: what is closer to it is measured by bench/deadlines, on a machine that does nothing else.
  { row: 'T02', script: answer(allowed, { delayMs: 2000 }), verdict: 'allowed', message: '', setting: { timeoutSeconds: 3 } },
  {
    row: 'T03',
    script: answer(allowed, { delayMs: 1300 }),
    verdict: 'time',
    message: w1('context deadline exceeded', oneSecond),
    setting: oneSecond,
  },
  {
    row: 'T04',
    script: answer(allowed, { dripMs: 100 }),
    verdict: 'time',
    message: w1('context deadline exceeded', oneSecond),
    setting: oneSecond,
  },
  {
    row: 'T05',
    script: raw('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n', 'hang'),
    verdict: 'time',
    message: broken('context deadline exceeded'),
    setting: oneSecond,
  },
  { row: 'T06', script: answer(allowed, ending('hang')), verdict: 'allowed', message: '' },
];
