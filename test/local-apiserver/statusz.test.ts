import { expect, it } from 'vitest';
import { NotReproduced } from '../../src/apiserver/admission/not-reproduced.js';
import { statuszReply } from '../../src/local-apiserver/discovery/statusz.js';
import type { HttpReply } from '../../src/local-apiserver/http/exchange.js';
import { apiServers } from '../support/server.js';

const started = new Date('2026-03-07T23:41:19Z');
const now = new Date('2026-03-08T01:43:24Z');

function replyTo(
  url: string,
  accept: string,
  minor: 'v1.35' | 'v1.36' | 'v1.37' = 'v1.36',
  userAgent = 'kubectl/v1.36',
): HttpReply | undefined {
  const headers = [['accept', accept] as const, ['user-agent', userAgent] as const];
  const request = { method: 'GET', url, headers, peer: undefined, body: () => Promise.resolve(new Uint8Array()) };
  return statuszReply(request, { server: apiServers({ minor }), started, now });
}

const versioned = (type: string, version: string, kind = 'Statusz'): string => `${type};as=${kind};v=${version};g=config.k8s.io`;
const notAcceptable = 'only the following media types are accepted: application/json, application/yaml, text/plain';

/** As kube-apiserver v1.36.3 and v1.37.2 answer. */
it.each(['*/*', 'text/plain', 'text/*', '', 'application/json, */*'])('/statusz is a text for %j', accept => {
  const { headers, body } = replyTo('/statusz?a=b', accept) ?? { headers: [], body: '' };
  expect(headers).toEqual([['Content-Type', 'text/plain; charset=utf-8']]);
  expect(String(body)).toMatch(
    new RegExp(
      '^\napiserver statusz\nWarning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees ' +
        'and is for debugging purposes only[.]\n\nStarted: Sat Mar  7 23:41:19 UTC 2026\nUp: 2 hr 02 min 05 sec\nGo version: go1.26.[0-9]+\n' +
        'Binary version: 1.36.[0-9]+\nEmulation version: 1.36\nPaths: /flagz /healthz /livez /metrics /readyz /statusz /version\n$',
    ),
  );
});

it.each([
  [versioned('application/json', 'v1beta1'), 'application/json;g=config.k8s.io;v=v1beta1;as=Statusz', /^\{"kind":"Statusz",.*\}\n$/],
  [versioned('application/*', 'v1beta1'), 'application/json;g=config.k8s.io;v=v1beta1;as=Statusz', /^\{"kind":"Statusz",.*\}\n$/],
  [versioned('*/*', 'v1beta1'), 'application/json;g=config.k8s.io;v=v1beta1;as=Statusz', /^\{"kind":"Statusz",.*\}\n$/],
  [
    versioned('application/yaml', 'v1beta1'),
    'application/yaml;g=config.k8s.io;v=v1beta1;as=Statusz',
    /^apiVersion: config.k8s.io\/v1beta1\n/,
  ],
])('/statusz for %s has the type %s', (accept, type, body) => {
  const reply = replyTo('/statusz', accept);
  expect(reply?.headers).toEqual([['Content-Type', type]]);
  expect(String(reply?.body)).toMatch(body);
});

it('the first version of Statusz is deprecated, and other clients than kubectl get it indented', () => {
  const reply = replyTo('/statusz', versioned('application/json', 'v1alpha1'), 'v1.37', 'curl/8');
  expect(reply?.headers).toContainEqual([
    'Warning',
    '299 - "This version of the statusz endpoint is deprecated. Please use a newer version."',
  ]);
  expect(String(reply?.body)).toContain('\n  "uptimeSeconds": 7325,\n');
  expect(JSON.parse(String(reply?.body)).paths).toContain('/flagz');
});

it.each([
  ['/statusz', 'application/json'],
  ['/statusz', 'text/html'],
  ['/statusz', 'application/vnd.kubernetes.protobuf'],
  ['/statusz', versioned('application/json', 'v1')],
  ['/statusz', versioned('application/cbor', 'v1beta1')],
  ['/statusz', versioned('application/json', 'v1beta1', 'Flagz')],
  ['/flagz', 'application/json'],
  ['/flagz', versioned('application/json', 'v1beta1')],
])('%s is not acceptable as %s', (url, accept) => {
  expect(() => replyTo(url, accept)).toThrow(notAcceptable);
});

it('/flagz is not reproduced in its own forms, and both pages are unknown to earlier minors and at other paths', () => {
  expect(() => replyTo('/flagz', '*/*')).toThrow(NotReproduced);
  expect([replyTo('/statusz', '*/*', 'v1.35'), replyTo('/flagz', '*/*', 'v1.35'), replyTo('/statusz/', '*/*')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
