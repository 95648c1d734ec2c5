import { describe, expect, it } from 'vitest';
import { type AnswerPath, parseFieldPath } from '../../../src/client/field-path.js';
import { toValue, type Value } from '../../../src/go/value.js';
import { redacted } from '../../../src/redaction/marker.js';
import { patchWithoutSecrets, withoutSecrets } from '../../../src/redaction/secrets.js';
import { readableJson } from '../../../src/suites/readable-json.js';
import type { CaseCall } from '../../../src/suites/results.js';
import { snapshotFileName } from '../../../src/suites/snapshot-name.js';
import { firstDifference } from '../../../src/suites/snapshots/first-difference.js';
import { redactObject, redactPatch, redactText } from '../../../src/suites/snapshots/redact.js';
import { maskOf } from '../../../src/suites/snapshots/volatile.js';
import type { Redaction } from '../../../src/suites/suite.js';

const period = { from: new Date('2026-11-21T10:00:00Z'), to: new Date('2026-11-21T10:00:05Z') };

/** The parts of a call that masks use. */
function callWith(parts: { readonly review?: object; readonly object?: object; readonly port?: number }): CaseCall {
  const { review = {}, object, port = 8443 } = parts;
  const call = {
    url: `https://127.0.0.1:${port}/m?timeout=10s`,
    address: { host: '127.0.0.1', port },
    body: JSON.stringify({ request: review }),
  };
  const decision = { object: object === undefined ? undefined : toValue(object) };
  return { report: { decision, webhooks: [], answer: { body: '' } }, exchanges: [{ call }], kubectl: [] } as unknown as CaseCall;
}

describe('volatile values in snapshots', () => {
  const uid = '4d6f1c1e-8a4b-4f6e-9c52-0123456789ab';

  it.each([
    ['uids of the review', { review: { uid } }, `seen ${uid}`, 'seen <uid>'],
    ['uids of the objects in it', { review: { object: { metadata: { uid } } } }, uid, '<uid>'],
    ['but no other uid', { review: {} }, uid, uid],
    ['times of the run', {}, 'at 2026-11-21T10:00:03.123456Z', 'at <time>'],
    ['times of the run elsewhere on Earth', {}, '2026-11-21T12:00:03+02:00', '<time>'],
    ['but no other time', {}, '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
    ['generated names', { object: { metadata: { generateName: 'web-', name: 'web-x7k2p' } } }, 'pods "web-x7k2p"', 'pods "web-<suffix>"'],
    ['but no given name', { object: { metadata: { name: 'web-x7k2p' } } }, 'web-x7k2p', 'web-x7k2p'],
    ['the volume of the token', {}, 'kube-api-access-b4x2z', 'kube-api-access-<suffix>'],
    ['ports of webhooks', { port: 41234 }, 'Post "https://127.0.0.1:41234/m": EOF', 'Post "https://127.0.0.1:<port>/m": EOF'],
    [
      'our ends of connections',
      { port: 41234 },
      'read tcp 127.0.0.1:50001->127.0.0.1:41234: reset',
      'read tcp 127.0.0.1:<port>->127.0.0.1:<port>: reset',
    ],
    ['but no other address', {}, 'redis 127.0.0.1:6379', 'redis 127.0.0.1:6379'],
  ])('masks %s', (_, parts, text, masked) => {
    expect(maskOf({ calls: [callWith(parts)] }, period)(text)).toBe(masked);
  });
});

const json = readableJson;

describe('secrets in snapshots', () => {
  it.each([
    [
      'what a Secret holds',
      { kind: 'Secret', apiVersion: 'v1', data: { a: 'eHg=' } },
      { kind: 'Secret', apiVersion: 'v1', data: { a: redacted('eHg=') } },
    ],
    ['not what a ConfigMap holds', { kind: 'ConfigMap', apiVersion: 'v1', data: { a: 'xx' } }, undefined],
    ['members', { status: { token: 'abc' } }, { status: { token: redacted('abc') } }],
    ['not members that only talk of them', { secretName: 'abc', tokenPath: '/a', automountServiceAccountToken: true }, undefined],
    ['variables', [{ name: 'DB_PASSWORD', value: 'abc' }], [{ name: 'DB_PASSWORD', value: redacted('abc') }]],
    ['authorizations', 'Authorization: Bearer abcdefgh', `Authorization: Bearer ${redacted('abcdefgh')}`],
    [
      'private keys',
      'x -----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY----- y',
      `x ${redacted('-----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY-----')} y`,
    ],
    ['web tokens', 'eyJhbGciOi.eyJzdWIi.c2ln', redacted('eyJhbGciOi.eyJzdWIi.c2ln')],
  ])('redacts %s', (_, value, expected) => {
    expect(json(withoutSecrets(toValue(value)))).toBe(json(toValue(expected ?? value)));
  });

  it('are redacted in patches, by path for a Secret, with different digests for different secrets', () => {
    const operation = (value: string) => toValue([{ op: 'add', path: '/data/a', value }]) as Value[];
    const [one, other] = ['eA==', 'eQ=='].map(value => json(patchWithoutSecrets(operation(value), true)));
    expect(one).toBe(`[{"op":"add","path":"/data/a","value":"${redacted('eA==')}"}]`);
    expect(one).not.toBe(other);
    expect(json(patchWithoutSecrets(operation('eA=='), false))).toContain('eA==');
  });
});

function pathOf(text: string): AnswerPath {
  const path = parseFieldPath(text);
  if ('error' in path) throw new Error(path.error);
  return path;
}

describe('redactions of a suite', () => {
  const redactions: Redaction[] = [{ path: pathOf('spec.containers[*].image'), as: '<image>' }];

  it('are replaced in objects', () => {
    const object = toValue({ spec: { containers: [{ image: 'a' }, { image: 'b', name: 'b' }, {}] } });
    expect(json(redactObject(object, redactions))).toBe('{"spec":{"containers":[{"image":"<image>"},{"image":"<image>","name":"b"},{}]}}');
  });

  it.each([
    ['at the field', '/spec/containers/0/image', 'a', '<image>'],
    ['above it', '/spec/containers/-', { image: 'a', name: 'n' }, { image: '<image>', name: 'n' }],
    ['above it, in a list', '/spec/containers', [{ image: 'a' }], [{ image: '<image>' }]],
    ['beside it', '/spec/containers/0/name', 'a', 'a'],
  ])('are replaced in patches %s', (_, path, value, expected) => {
    const patch = toValue([{ op: 'add', path, value }]) as Value[];
    expect(json(redactPatch(patch, redactions))).toBe(json(toValue([{ op: 'add', path, value: expected }])));
  });

  it('are replaced in strings, literally', () => {
    expect(redactText('it took 12ms and took 3ms', [{ pattern: 'took \\d+ms', as: '$0' }])).toBe('it $0 and $0');
  });
});

describe('the file name of a snapshot', () => {
  it.each([
    ['privileged', 'pods.privileged.yaml'],
    ['Privileged', /^pods\.privileged-[0-9a-f]{8}\.yaml$/],
    ['../../etc/passwd', /^pods\.etc-passwd-[0-9a-f]{8}\.yaml$/],
    ['con', /^pods\.con-[0-9a-f]{8}\.yaml$/],
    ['a.', /^pods\.a-[0-9a-f]{8}\.yaml$/],
    ['\0', /^pods\.[0-9a-f]{8}\.yaml$/],
    ['ü'.repeat(300), /^pods\.[0-9a-f]{8}\.yaml$/],
    ['x'.repeat(300), /^pods\.x{60}-[0-9a-f]{8}\.yaml$/],
  ])('is valid on all systems for %j', (name, expected) => {
    const file = snapshotFileName('pods', name);
    if (typeof expected === 'string') expect(file).toBe(expected);
    else expect(file).toMatch(expected);
  });

  it('differs for different names, also on case-insensitive file systems', () => {
    const names = ['a b', 'a-b', 'A-b', 'a_b', 'a.b', 'a/b', 'a b '];
    expect(new Set(names.map(name => snapshotFileName('s', name).toLowerCase())).size).toBe(names.length);
  });
});

describe('the first difference', () => {
  it.each([
    [
      { a: 1, b: { c: [1, 2] } },
      { a: 1, b: { c: [1, 3] } },
      { path: 'b.c[1]', expected: '2', actual: '3' },
    ],
    [{ a: {} }, { a: { 'x.y/z': 1 } }, { path: 'a["x.y/z"]', expected: undefined, actual: '1' }],
    [
      { diff: 'a', patch: [1] },
      { diff: 'b', patch: [2] },
      { path: 'patch[0]', expected: '1', actual: '2' },
    ],
    [{ a: 1 }, { a: 1 }, undefined],
  ])('of %j and %j', (expected, actual, difference) => {
    expect(firstDifference(toValue(expected), toValue(actual))).toEqual(difference);
  });
});
