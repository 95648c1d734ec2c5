import { describe, expect, it } from 'vitest';
import { writeValue } from '../../src/go/json/write.js';
import { toValue, type Value } from '../../src/go/value.js';
import { withoutSecrets } from '../../src/redaction/secrets.js';
import { mayHaveSecrets } from '../../src/redaction/secrets-in-json.js';
import { plantedSecrets } from './planted-secrets.js';

/** Places of an object in which a text or a variable may be. */
const places: readonly ((inner: unknown) => unknown)[] = [
  inner => inner,
  inner => [1, { inner }],
  inner => ({ metadata: { annotations: { note: JSON.stringify(inner) } } }),
  inner => ({ request: { object: { spec: { containers: [{ env: [inner], args: ['-v', inner] }] } } } }),
];

const planted = plantedSecrets(3).flatMap(({ pod, data, ofSecret, secret }): unknown[] => [
  ...(pod === undefined ? [] : [pod.env, pod.args, { 'kubectl.kubernetes.io/last-applied-configuration': pod.annotation }]),
  ...(data === undefined ? [] : [data, { text: data }, { password: data }, { auth: Buffer.from(`user:${secret}`).toString('base64') }]),
  ...(ofSecret === undefined ? [] : [{ apiVersion: 'v1', kind: 'Secret', [ofSecret]: { value: secret } }]),
  { clientSecrets: [secret, 'x'] },
  { '.dockerconfigjson': secret },
  ['--token', secret],
]);

describe('mayHaveSecrets', () => {
  it('finds every object that has one', () => {
    const values = planted.flatMap(inner => places.map((place): Value => toValue(place(inner))));
    const redacted = values.filter(value => withoutSecrets(value) !== value);
    expect(redacted.length).toBeGreaterThan(500);
    expect(redacted.filter(value => !mayHaveSecrets(writeValue(value, 'kept')))).toEqual([]);
  });

  it.each([
    ['a pod', { kind: 'Pod', spec: { containers: [{ name: 'a', image: 'nginx:1', env: [{ name: 'PORT', value: '80' }] }] } }],
    ['the name of a secret', { spec: { secretName: 'login', volumes: [{ secret: { secretName: 'x' } }] } }],
    ['a token without a value', { serviceAccountToken: { path: 'token' } }],
  ])('finds nothing in %s', (_, value) => {
    expect(mayHaveSecrets(JSON.stringify(value))).toBe(false);
  });

  it.each(['', 'password: x', `${'['.repeat(100_000)}${']'.repeat(100_000)}`])('does not know about text that is not JSON', text => {
    expect(mayHaveSecrets(text)).toBe(true);
  });
});
