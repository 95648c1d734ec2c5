import { describe, expect, it } from 'vitest';
import { isSecretName, isSecretValue } from '../../src/redaction/secret-names.js';
import { textWithoutSecrets } from '../../src/redaction/text-secrets.js';

describe('names of secrets', () => {
  it.each(
    'SECRET CLIENT_SECRET PGPASSWORD SSH_KEY DB_PASS TOKENS token apiKey DB_PASSWORD client-key-data accessToken TOKEN_V2 password2 gpg_passphrase awsSecretAccessKey credentials.password SIGNING_KEY_OLD API-KEY userPwd'.split(
      ' ',
    ),
  )('include %s', name => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(
    'tokenPath secretName automountServiceAccountToken_path key publicKey keyRef passwordFile monkey compass topologyKey secretKeyRef tokenExpirationSeconds PASSWORD_FILE'.split(
      ' ',
    ),
  )('do not include %s', name => {
    expect(isSecretName(name)).toBe(false);
  });

  it.each([
    ['secret', 'default/my-tls', false],
    ['SECRET', 'my-tls', true],
    ['DB_PASSWORD', '$(OTHER)', false],
    ['token', '/var/run/secrets/token', false],
    ['password', 'hunter2', true],
    ['password', '', false],
    ['token', 'true', false],
  ])('of %s: the value %s', (name, value, expected) => {
    expect(isSecretValue(name, value)).toBe(expected);
  });
});

describe('secrets in a text', () => {
  it.each([
    'spec.template.spec: Required value: must be set',
    'data.password: Required value',
    'basic authentication credentials for the client',
    'Error from server (Forbidden): pods "web" is forbidden: token not allowed',
    'https://example.com:8443/path?timeout=10s',
    'sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    'registry.example.com/team/application:v1.2.3',
    'kube-api-access-x7k2p of ServiceAccount default',
  ])('are not in %s', text => {
    expect(textWithoutSecrets(text)).toBe(text);
  });

  it('are found in time linear in the text', () => {
    const started = performance.now();
    for (const text of [
      'a=',
      '\\\\"',
      '"a": "',
      'eyJa.',
      '-----BEGIN PRIVATE KEY',
      'a://b:',
      'QUFB',
      'password: x\n',
      'curl ghp_ npm_ ',
      ' - "token',
    ])
      textWithoutSecrets(text.repeat(200_000 / text.length));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
