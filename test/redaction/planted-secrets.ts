/** A secret in a manifest, with the texts that must not be written anywhere. */
export interface Planted {
  readonly kind: string;
  readonly secret: string;
  readonly pod?: { readonly env?: object; readonly args?: readonly string[]; readonly annotation?: string };
  readonly data?: string;
  readonly ofSecret?: 'data' | 'stringData';
}

/** Returns numbers in [0, 1), the same for every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 0x7fffffff;
    return state / 0x7fffffff;
  };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The text without its prefix is never in a file: a scanner of this repository would report it. */
function textOf(next: () => number, length: number, alphabet = letters): string {
  return Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join('');
}

const variables =
  'SECRET CLIENT_SECRET PGPASSWORD SSH_KEY DB_PASS TOKENS API_KEY AUTH_TOKEN MYSQL_ROOT_PASSWORD SESSION_SECRET AWS_SECRET_ACCESS_KEY REDIS_PWD SIGNING_JWT ENCRYPTION_KEY GPG_PASSPHRASE secretKey'.split(
    ' ',
  );

/** Form of a credential: its prefix, and the length and alphabet of the rest. */
const forms: readonly (readonly [string, number, string?])[] = [
  ['gh' + 'p_', 36],
  ['glp' + 'at-', 20],
  ['np' + 'm_', 36],
  ['AI' + 'za', 35],
  ['AK' + 'IA', 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'],
  ['dop_' + 'v1_', 64, '0123456789abcdef'],
  ['hf' + '_', 34, 'abcdefghijklmnopqrstuvwxyz'],
  ['sk_' + 'live_', 24],
];

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Returns `count` planted secrets of each of 42 kinds. */
export function plantedSecrets(count: number): Planted[] {
  const next = seeded(36);
  const plain = (): string => textOf(next, 18);
  const inText = (kind: string, text: (secret: string) => string): Planted => {
    const secret = plain();
    return { kind, secret, data: text(secret) };
  };
  const once = (): Planted[] => [
    ...variables.map(name => {
      const secret = plain();
      return { kind: name, secret, pod: { env: { name, value: secret } } };
    }),
    ...forms.map(([prefix, length, alphabet]) => {
      const secret = prefix + textOf(next, length, alphabet);
      return { kind: prefix, secret, data: `the value is ${secret}, and more` };
    }),
    slack(next),
    inText('URL', secret => `postgres://user:${secret}@db.example.com:5432/app`),
    inText('query', secret => `https://example.com/hook?a=1&access_token=${secret}&b=2`),
    inText('Bearer', secret => `curl -H 'Authorization: Bearer ${secret}' https://example.com`),
    inText('JSON web token', secret => `eyJhbGciOiJub25lIn0.eyJ${secret}.${secret}`),
    inText('private key', secret => `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY-----\n`),
    inText('member of YAML', secret => `user: me\npassword: ${secret}\nport: 80\n`),
    inText('properties', secret => `user = me\ndb.password = ${secret}\n`),
    inText('JSON', secret => JSON.stringify({ user: 'me', list: [{ clientSecret: secret }] })),
    inText('JSON in a text', secret => `got ${JSON.stringify({ api_key: secret })} from it`),
    inText('JSON in base64', secret => base64(JSON.stringify({ password: secret, user: 'somebody' }))),
    inText('login of a registry', secret => JSON.stringify({ auths: { 'r.example.com': { auth: base64(`me:${secret}`) } } })),
    argument(next, secret => [`--token=${secret}`]),
    argument(next, secret => ['--password', secret]),
    applied(next),
    { kind: 'data', secret: plain(), ofSecret: 'data' },
    { kind: 'stringData', secret: plain(), ofSecret: 'stringData' },
  ];
  return Array.from({ length: count }, once).flat();
}

function slack(next: () => number): Planted {
  const secret = `xo${'xb'}-${textOf(next, 12, '0123456789')}-${textOf(next, 12, '0123456789')}-${textOf(next, 24)}`;
  return { kind: 'slack', secret, data: `SLACK ${secret}` };
}

function argument(next: () => number, args: (secret: string) => readonly string[]): Planted {
  const secret = textOf(next, 18);
  return { kind: `argument ${args('').join(' ')}`, secret, pod: { args: args(secret) } };
}

function applied(next: () => number): Planted {
  const secret = textOf(next, 18);
  const annotation = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: base64(secret) } });
  return { kind: 'last-applied-configuration', secret, pod: { annotation } };
}
