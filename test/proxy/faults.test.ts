import { afterEach, describe, expect, it } from 'vitest';
import { faultValue, faultWithScript } from '../../src/cli/commands/proxy/fault-value.js';
import { parseFlag } from '../../src/cli/options/parse-flag.js';
import { readScriptFile } from '../../src/cli/work/serving/scripted-server.js';
import type { ProxyFault } from '../../src/proxy/faults.js';
import { allow } from '../../src/webhook-server/script/script.js';
import { root } from '../support/run-command.js';
import { exchangeBytes, type ProxiedWebhook, post, review, startProxied } from './proxied-webhook.js';

let webhook: ProxiedWebhook | undefined;

afterEach(async () => {
  await webhook?.close();
  webhook = undefined;
});

function parseFault(text: string): ProxyFault {
  return faultWithScript(parseFlag('fault', text, faultValue), file => readScriptFile(file, root).script);
}

async function withFaults(faults: readonly string[], isMatch?: (body: string) => boolean): Promise<ProxiedWebhook> {
  const parsed = faults.map(text => parseFault(text));
  webhook = await startProxied({ endpoint: allow }, { faults: parsed, ...(isMatch === undefined ? {} : { isMatch }) });
  return webhook;
}

const allowed = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"705ab4f5-6393-11e8-b7cc-42010a800002","allowed":true}}`;

describe('faults', () => {
  it('that do not apply leave the answer as it is', async () => {
    const { direct, proxied, ca } = await withFaults(['status=503:1/2']);
    const through = await post(proxied, ca, review());
    expect(through).toEqual(await post(direct, ca, review()));
    expect(through).toMatchObject({ status: 200, body: allowed });
  });

  it('are played every Nth time, and not recorded as the answer of the webhook', async () => {
    const { proxied, ca, exchanges, calls } = await withFaults(['status=503:1/2']);
    const answers = [await post(proxied, ca, review()), await post(proxied, ca, review()), await post(proxied, ca, review())];
    expect(answers.map(answer => (typeof answer === 'string' ? answer : answer.status))).toEqual([200, 503, 200]);
    expect(calls).toHaveLength(2);
    expect(exchanges.map(({ faults, answer }) => [faults, answer?.start])).toEqual([
      [[], 'HTTP/1.1 200 OK'],
      [['status=503:1/2'], undefined],
      [[], 'HTTP/1.1 200 OK'],
    ]);
  });

  it.each([
    ['abort', 'ECONNRESET'],
    ['abort=reset', 'ECONNRESET'],
    ['abort=close', 'ECONNRESET'],
    ['truncate', 'after the head: ECONNRESET'],
    ['truncate=0', 'after the head: ECONNRESET'],
  ])('%s breaks the answer off', async (fault, expected) => {
    const { proxied, ca } = await withFaults([fault]);
    expect(await post(proxied, ca, review())).toBe(expected);
  });

  it('wrong-uid answers another review, and the true answer is seen', async () => {
    const { proxied, ca, exchanges } = await withFaults(['wrong-uid']);
    const answer = await post(proxied, ca, review());
    expect(answer).toMatchObject({ status: 200, body: expect.stringMatching(/"allowed":true/) });
    expect(JSON.stringify(answer)).not.toContain('705ab4f5');
    expect(exchanges[0]?.answer?.body?.toString()).toBe(allowed);
  });

  it('delay holds back the answer of the webhook', async () => {
    const { proxied, ca, calls } = await withFaults(['delay=300ms']);
    const start = performance.now();
    const answer = post(proxied, ca, review());
    await expect.poll(() => calls.length).toBe(1);
    expect(await answer).toMatchObject({ status: 200, body: allowed });
    expect(performance.now() - start).toBeGreaterThan(290);
  });

  it('ask again when the webhook has closed a kept connection', async () => {
    webhook = await startProxied({ endpoint: { ...allow, ending: 'close' } }, { faults: [parseFault('delay=1ms')] });
    const to = `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${review().length}\r\n\r\n${review()}`;
    const received = await exchangeBytes(webhook.proxied, webhook.ca, to + to.replace('Host: x', 'Host: x\r\nConnection: close'));
    expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  it('are played for matching calls only', async () => {
    const { proxied, ca } = await withFaults(['status=500'], body => body.includes('"name":"other"'));
    expect(await post(proxied, ca, review())).toMatchObject({ status: 200 });
    expect(await post(proxied, ca, review(undefined, 'other'))).toMatchObject({ status: 500 });
  });

  it('are random with a percentage', async () => {
    expect(await post((await withFaults(['status=500:50%'])).proxied, webhook?.ca ?? '', review())).toMatchObject({ status: 200 });
    await webhook?.close();
    expect(await post((await withFaults(['status=500:51%'])).proxied, webhook?.ca ?? '', review())).toMatchObject({ status: 500 });
  });

  it('play the scripts of serve', async () => {
    const { proxied, ca, calls } = await withFaults(['script=fixtures/endpoints/cut-short.yaml']);
    expect(await post(proxied, ca, review())).toBe('after the head: ECONNRESET');
    expect(calls).toEqual([]);
  });

  it.each([
    ['delay', 'a duration, such as delay=12s'],
    ['delay=soon', 'a duration, such as delay=12s'],
    ['status=99', 'an HTTP status, such as status=503'],
    ['status=503:110%', 'a share such as 10% or 1/3 after the colon'],
    ['status=503:1/0', 'a share such as 10% or 1/3 after the colon'],
    ['abort=keep', 'abort=close, abort=abort'],
    ['truncate=half', 'a number of bytes'],
    ['explode', 'delay=DURATION, abort'],
    ['script=fixtures/endpoints/reset-in-handshake.yaml', 'a script of responses: this one describes a connection'],
  ])('are refused where they mean nothing: %s', (text, expected) => {
    expect(() => parseFault(text)).toThrow(expected);
  });
});
