import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listenError } from '../../src/cli/work/serving/serving-pair.js';
import { hostInUrl, hostWithoutBrackets, joinHostPort } from '../../src/go/net/host-port.js';
import { root } from '../support/run-command.js';

it.each([
  ['127.0.0.1', 443, '127.0.0.1:443'],
  ['example.com', '', 'example.com:'],
  ['::1', 0, '[::1]:0'],
  ['fe80::1%eth0', 80n, '[fe80::1%eth0]:80'],
])('%s with port %s is %s', (host, port, joined) => {
  expect(joinHostPort(host, port)).toBe(joined);
  expect(hostWithoutBrackets(hostInUrl(host))).toBe(host);
});

it.each(['[', '[::1', '::1]', ''])('a host of %j has no pair of brackets', host => {
  expect(hostWithoutBrackets(host)).toBe(host);
});

it.each([
  ['EADDRNOTAVAIL', 'this machine does not have the address'],
  ['EAFNOSUPPORT', 'this machine has no addresses of this family'],
])('says with brackets that a server cannot listen at an IPv6 address: %s', (code, reason) => {
  const attempt = { host: '::1', port: 0, source: undefined, files: '' };
  expect(listenError(Object.assign(new Error(code), { code }), attempt)).toMatchObject({ message: `[::1]:0: ${reason}` });
});

/** Texts of an address or a host with or without brackets, made by hand. */
const byHand = [
  /includes\(':'\) \? `\[/,
  /isIPv6\([^)]*\) \? `\[|'IPv6' \? `\[/,
  /(?:host|Host|hostname)\b[^\n]*\.replace\(\/\^\\\[/,
  /\$\{(?:\w+\.)*(?:host|address)\}:\$\{/,
];

it('only one file puts brackets around addresses, or removes them', () => {
  const files = ['src', 'commands', 'pages'].flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap(file =>
      file.endsWith('.ts') ? [path.posix.join(folder, file)] : [],
    ),
  );
  const lines = files.flatMap(file =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .map(line => `${file}: ${line.trim()}`),
  );
  const found = lines.filter(line => !line.startsWith('src/go/net/host-port.ts') && byHand.some(pattern => pattern.test(line)));
  expect(found).toEqual([]);
});
