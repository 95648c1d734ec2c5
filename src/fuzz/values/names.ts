import type { Pools } from './pools.js';
import type { Random } from './random.js';

/** Valid names of objects: short, with dots, with digits, and of the max length. */
export const objectNames: readonly string[] = [
  ...['a', 'web', 'my-app', 'web-7d4b9c-x2x9z', '0', '1-2', 'a.b.c', 'v1.2.3', 'null', 'true', 'x'.repeat(63), 'a'.repeat(64)],
  `${'abcdefghi.'.repeat(25)}abc`,
];

/** Valid names of containers, volumes and ports: DNS labels. */
export const labelNames: readonly string[] = ['a', 'web', 'app-1', '0', '1a', 'c'.repeat(63), 'istio-proxy', 'sidecar', 'init', 'main'];

/** Valid keys of labels and annotations. */
export const labelKeys: readonly string[] = [
  ...['app', 'team', 'a', 'A', 'a.b', 'a_b', '1', 'example.com/a', 'app.kubernetes.io/name', 'a-b.example.com/x_y.z', 'k8s.io/a', 'x/y'],
  ...['env', 'owner', 'tier', 'version', 'constructor', `${'d'.repeat(63)}.example/${'k'.repeat(63)}`],
];

/** Valid values of labels. */
export const labelValues: readonly string[] = [
  '',
  'a',
  'web',
  'A',
  '1',
  '0',
  '1.2.3',
  'a_b.c-d',
  'true',
  'false',
  'null',
  '01',
  '1e3',
  'v'.repeat(63),
  `${'a'.repeat(40)}_b`,
];

/** Valid references to images. */
export const images: readonly string[] = [
  ...[
    'nginx',
    'nginx:1.25',
    'nginx:latest',
    'library/nginx',
    'docker.io/library/nginx:1',
    'registry.example.com:5000/team/app',
    'localhost:5000/a',
  ],
  ...['registry.example.com/a/b/c/d:v1.2.3-rc.1_x', '10.0.0.1:5000/app:1', '[::1]:5000/app:1', `ghcr.io/o/app@sha256:${'0'.repeat(64)}`],
  ...[
    `registry.example.com:5000/app:1@sha256:${'a'.repeat(64)}`,
    `nginx@sha256:${'b'.repeat(64)}`,
    'NGINX:Latest',
    'nginx:',
    ':latest',
    'a',
    '@',
    'http://example.com/app:1',
  ],
  `${'a'.repeat(60)}/${'b'.repeat(60)}:${'c'.repeat(128)}`,
  `${'a'.repeat(32)}!`,
  'café:1',
];

/** Quantities in the spellings of manifests. */
export const quantities: readonly string[] = [
  ...['1', '0.5', '1Gi', '1e3', '500m', '1M', '0', '1.5Gi', '100n', '128Mi', '1k', '1.5', '2', '1500m', '5e2', '1E3', '64Ki', '1G'],
  ...['123456789', '9223372036854775807', '1Ei', '2Ti', '1000k', '100m', '1u', '+1', '0.001', '1234m', '.5', '1.'],
];

/** Durations of Go. */
export const durations: readonly string[] = ['0s', '1h', '90s', '1h30m0s', '1.5h', '100ms', '720h0m0s', '1ns'];

/** Times of RFC 3339. */
export const times: readonly string[] = [
  ...[
    '2024-01-02T03:04:05Z',
    '2024-02-29T23:59:59Z',
    '2024-01-02T03:04:05.678Z',
    '2024-01-02T03:04:05+02:00',
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ],
  ...['2024-01-02T03:04:05.123456789Z', '2024-06-30T23:59:59-11:30', '0001-01-01T00:00:00Z'],
];

/** Addresses and blocks of addresses. */
export const addresses: readonly string[] = ['10.0.0.1', '192.168.1.254', '::1', '2001:db8::1', 'fe80::1', '::ffff:10.0.0.1', '0.0.0.0'];
export const blocks: readonly string[] = ['10.0.0.0/8', '0.0.0.0/0', '::/0', '2001:db8::/64', '192.168.0.0/16', '10.0.0.1/32'];

/** Schedules of cron jobs. */
export const schedules: readonly string[] = [
  '* * * * *',
  '*/5 * * * *',
  '@hourly',
  '@every 1h',
  '0 0 1 1 *',
  '0 0 * * MON-FRI',
  '0-30/10 1,2 * * 7',
  '0 0 29 2 *',
];

/** Returns a valid name for an object. */
export function objectName(r: Random, pools: Pools): string {
  return r.chance(70) ? r.pick(objectNames) : r.pick(pools.labels);
}
