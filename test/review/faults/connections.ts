import { allowed, answer, broken, connection, ending, type Fault, raw, type Setting, w1 } from './fault.js';

const reset = 'read tcp 127.0.0.1:CLIENT->127.0.0.1:PORT: read: connection reset by peer';
const oneSecond: Setting = { timeoutSeconds: 1 };

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
  { row: 'T02', script: answer(allowed, { delayMs: 300 }), verdict: 'allowed', message: '', setting: oneSecond },
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
