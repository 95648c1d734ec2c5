import { describe, expect, it } from 'vitest';
import { proxyOf } from '../../src/cluster/http/dispatchers.js';

describe('the proxy of a cluster', () => {
  it.each([
    ['https://k.example.com', undefined, {}, undefined],
    ['https://k.example.com', undefined, { HTTPS_PROXY: 'p:3128' }, 'http://p:3128'],
    ['https://k.example.com', undefined, { https_proxy: 'http://p' }, 'http://p'],
    ['http://k.example.com', undefined, { HTTPS_PROXY: 'p:3128' }, undefined],
    ['https://k.example.com', 'socks5://s:1080', { HTTPS_PROXY: 'p', NO_PROXY: '*' }, 'socks5://s:1080'],
    ['https://localhost:6443', undefined, { HTTPS_PROXY: 'p' }, undefined],
    ['https://127.0.0.1:6443', undefined, { HTTPS_PROXY: 'p' }, undefined],
    ['https://[::1]:6443', undefined, { HTTPS_PROXY: 'p' }, undefined],
    ['https://k.example.com', undefined, { HTTPS_PROXY: 'p', NO_PROXY: 'example.com' }, undefined],
    ['https://k.example.com', undefined, { HTTPS_PROXY: 'p', NO_PROXY: '.example.com' }, undefined],
    ['https://kexample.com', undefined, { HTTPS_PROXY: 'p', NO_PROXY: 'example.com' }, 'http://p'],
    ['https://k.example.com', undefined, { HTTPS_PROXY: 'p', NO_PROXY: 'k.example.com:6443' }, 'http://p'],
    ['https://k.example.com:6443', undefined, { HTTPS_PROXY: 'p', NO_PROXY: 'k.example.com:6443' }, undefined],
    ['https://10.1.2.3', undefined, { HTTPS_PROXY: 'p', NO_PROXY: '10.0.0.0/8' }, undefined],
    ['https://11.1.2.3', undefined, { HTTPS_PROXY: 'p', NO_PROXY: '10.0.0.0/8, 11.1.2.4' }, 'http://p'],
    ['https://[fd00::1]', undefined, { HTTPS_PROXY: 'p', NO_PROXY: 'fd00::/8' }, undefined],
  ])('%s with proxy-url %s and %j is %s', (server, given, env, expected) => {
    expect(proxyOf(new URL(server), given, env)).toBe(expected);
  });
});
