import { expect, it } from 'vitest';
import { AuthorizerFailure, authorizationRefusal, authorizerFailureReply } from '../../src/local-apiserver/access/authorization.js';

const user = { username: 'a<b>&"c', uid: '', groups: [], extra: new Map() };
const denied = { allowed: false, reason: 'see <https://example.com>', error: undefined };

/** Recorded from kube-apiserver v1.36.3, but for the reason, which it leaves as it is. */
it.each([
  [
    { user, verb: 'get', path: '/metrics/<script>&x' },
    'forbidden: User "a&lt;b&gt;&amp;\\"c" cannot get path "/metrics/&lt;script&gt;&amp;x": see <https://example.com>',
  ],
  [
    {
      user,
      verb: 'list',
      group: '',
      version: 'v1',
      resource: 'pods',
      subresource: '',
      namespace: 'n<b',
      name: 'x<y',
      fieldSelector: '',
      labelSelector: '',
    },
    'pods "x<y" is forbidden: User "a&lt;b&gt;&amp;\\"c" cannot list resource "pods" in API group "" in the namespace "n&lt;b": see <https://example.com>',
  ],
])('a refusal has no markup of a request: %j', (question, message) => {
  expect(authorizationRefusal(question, denied).status.message).toBe(message);
});

it('an error of an authorizer has no markup of a webhook', () => {
  const { body } = authorizerFailureReply('/api?<i>', new AuthorizerFailure('an error on the server ("<script>alert(1)</script>")'));
  expect(body).toBe('Internal Server Error: "/api?&lt;i&gt;": an error on the server ("&lt;script&gt;alert(1)&lt;/script&gt;")\n');
});
