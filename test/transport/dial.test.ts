import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startDeadline } from '../../src/transport/deadline.js';
import { dial, type Network } from '../../src/transport/dial.js';
import { lookUpAddresses, type Resolver } from '../../src/transport/lookup.js';
import { TransportError } from '../../src/transport/transport-error.js';

/** Returns the message of a rejection. */
async function failure(of: Promise<unknown>): Promise<string> {
  try {
    await of;
  } catch (error) {
    if (error instanceof TransportError) return `${error.failureClass}: ${error.message}`;
    throw error;
  }
  return 'no failure';
}

/** Network where the host has these addresses, and every connection fails with a code, or without one never answers. */
function network(addresses: readonly string[], code?: string): Network {
  return {
    addressesOf: async () => addresses,
    connect: () => {
      const socket = new Socket();
      if (code !== undefined) setImmediate(() => socket.destroy(Object.assign(new Error(code), { code, syscall: 'connect' })));
      return socket;
    },
  };
}

function dialled(addresses: readonly string[], code?: string, deadlineMs = 5_000): Promise<string> {
  return failure(dial({ host: 'w.example.com', port: 1 }, startDeadline(deadlineMs), network(addresses, code)));
}

describe('a failed connection has the error of Go', () => {
  it('for the first of several addresses', async () => {
    expect(await dialled(['10.0.0.1', '10.0.0.2', '::1'], 'ECONNREFUSED')).toBe('tcp: dial tcp 10.0.0.1:1: connect: connection refused');
    expect(await dialled(['::1', '10.0.0.1'], 'ECONNREFUSED')).toBe('tcp: dial tcp [::1]:1: connect: connection refused');
  });

  it.each([
    ['ENETUNREACH', 'network is unreachable'],
    ['EHOSTUNREACH', 'no route to host'],
    ['EADDRNOTAVAIL', 'cannot assign requested address'],
    ['EAFNOSUPPORT', 'address family not supported by protocol'],
    ['ETIMEDOUT', 'connection timed out'],
  ])('for %s', async (code, message) => {
    expect(await dialled(['::1'], code)).toBe(`tcp: dial tcp [::1]:1: connect: ${message}`);
  });

  it('if no server answers before the deadline', async () => {
    expect(await dialled(['10.0.0.1'], undefined, 30)).toBe('time: context deadline exceeded');
  });
});

describe('a name that cannot be resolved', () => {
  const resolver = (code: string, unreachable?: string): Resolver => ({
    lookup: async () => {
      throw Object.assign(new Error(`getaddrinfo ${code}`), { code });
    },
    server: () => '10.0.0.10',
    unreachable: async () => unreachable,
  });

  it.each([
    ['does not exist', resolver('ENOTFOUND'), 'dns: dial tcp: lookup w.example.com on 10.0.0.10:53: no such host'],
    [
      'nobody can be asked about',
      resolver('EAI_AGAIN', 'connect: network is unreachable'),
      'dns: dial tcp: lookup w.example.com on 10.0.0.10:53: dial udp 10.0.0.10:53: connect: network is unreachable',
    ],
    ['is answered with nonsense', resolver('EAI_AGAIN'), 'dns: dial tcp: lookup w.example.com on 10.0.0.10:53: server misbehaving'],
  ])('because it %s', async (_, of, expected) => {
    expect(await failure(lookUpAddresses('w.example.com', of))).toBe(expected);
  });

  it.each(['a'.repeat(64), `${'a.'.repeat(127)}aa`, 'a b', '1.2.3', ''])('because it is not valid: %.70s', async name => {
    expect(await failure(lookUpAddresses(name, resolver('ENOTFOUND')))).toBe(`dns: dial tcp: lookup ${name}: no such host`);
  });
});
