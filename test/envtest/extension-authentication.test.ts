import { expect, it } from 'vitest';
import { extensionAuthentication } from '../../src/envtest/extension-authentication.js';
import { stringAt } from '../../src/go/value.js';

const options = {
  users: [],
  tokenAuthority: undefined,
  allowsAnonymous: () => true,
  requestHeaders: undefined,
  askForOtherToken: undefined,
};

/** As kube-apiserver v1.36.3: the map has an entry for each CA. */
it.each([
  ['none' as const, []],
  ['-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n', ['extension-apiserver-authentication']],
])('the ConfigMap of a server with the client CA %j', (clientCa, names) => {
  const maps = extensionAuthentication({ ...options, clientCa } as never, new Date(0));
  expect(maps.map(map => stringAt(map, 'metadata', 'name'))).toEqual(names);
});
