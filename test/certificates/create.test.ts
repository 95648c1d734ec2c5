import { X509Certificate } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CertificateError } from '../../src/certificates/certificate-error.js';
import { type CreateOptions, createCertificates } from '../../src/certificates/create-certificates.js';
import { keyTypes } from '../../src/certificates/key-types.js';
import { presets, serviceNames, servingName, servingNamesOf } from '../../src/certificates/serving-names.js';
import { certificatesIn } from '../../src/x509/bundle.js';
import { readPem } from '../../src/x509/pem.js';
import { peerCertificateError } from '../../src/x509/verify-chain.js';

const now = new Date('2026-06-01T12:00:00Z');
const day = 86_400_000;
let scratch: string;
let folder: string;

beforeEach(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'certificates-'));
  folder = path.join(scratch, 'certs');
});
afterEach(() => rmSync(scratch, { recursive: true }));

function create(options: Partial<CreateOptions> = {}) {
  const plain = {
    folder,
    names: undefined,
    keyType: undefined,
    days: 365,
    renewBeforeMs: 30 * day,
    rotateAuthority: false,
    force: false,
    now,
  };
  return createCertificates({ ...plain, ...options });
}

function read(name: string): string {
  return readFileSync(path.join(folder, name), 'utf8');
}

function bytes(): string[] {
  return ['ca.crt', 'ca.key', 'tls.crt', 'tls.key'].map(read);
}

/** Returns Go's error for the files. */
function refusal(serverName = 'localhost', at = now): string | undefined {
  const chain = readPem(read('tls.crt')).blocks.map(block => block.bytes);
  return peerCertificateError({ chain, bundle: read('ca.crt'), serverName, at });
}

describe('certificates in a folder', () => {
  it.each(keyTypes.filter(type => type !== 'rsa-4096' && type !== 'rsa-3072'))('are what Go accepts: %s', async keyType => {
    const created = await create({ keyType, names: serviceNames('team', 'webhook') });
    expect([created.authority, created.serving]).toEqual(['created', 'created']);
    for (const name of ['webhook.team.svc', 'webhook.team.svc.cluster.local', 'localhost', '127.0.0.1', '::1']) {
      expect(refusal(name)).toBeUndefined();
    }
    const [authority, serving] = [new X509Certificate(read('ca.crt')), new X509Certificate(read('tls.crt'))];
    expect(serving.verify(authority.publicKey)).toBe(true);
    expect(serving.checkPrivateKey(created.current.serving.key)).toBe(true);
    expect(BigInt(`0x${serving.serialNumber}`)).toBeGreaterThan(0n);
  });

  it('have the extensions that strict verifiers require', async () => {
    const { current } = await create();
    const [ca, leaf] = [current.authority.certificate, current.serving.certificate];
    expect(leaf.authorityKeyId).toEqual(ca.subjectKeyId);
    expect([ca.basicConstraints, ca.keyUsage]).toEqual([{ isCA: true, maxPathLength: 0n }, ['keyCertSign', 'cRLSign']]);
    expect([leaf.basicConstraints, leaf.keyUsage, leaf.extendedKeyUsage]).toEqual([
      { isCA: false, maxPathLength: undefined },
      ['digitalSignature'],
      ['1.3.6.1.5.5.7.3.1'],
    ]);
    expect(leaf.extensions.filter(({ critical }) => critical).map(({ id }) => id)).toEqual(['2.5.29.19', '2.5.29.15']);
    expect([leaf.notBefore.text, leaf.notAfter.text]).toEqual(['2026-06-01T11:55:00Z', '2027-06-01T12:00:00Z']);
  });

  it.each(Object.entries(presets))('name what a %s cluster calls this machine', async (_, names) => {
    const { current } = await create({ names });
    const made = servingNamesOf(current.serving.certificate);
    expect(made.dns).toEqual([...names.dns, 'localhost']);
    expect(made.ips).toEqual([...names.ips, '127.0.0.1', '::1']);
    for (const name of [...names.dns, ...names.ips]) expect(refusal(name)).toBeUndefined();
  });

  it('have keys that only the owner can read', async () => {
    await create();
    expect(modes()).toEqual({ 'ca.crt': 0o644, 'ca.key': 0o600, 'tls.crt': 0o644, 'tls.key': 0o600 });
  });

  it('stay if they are valid, with their names', async () => {
    await create({ names: serviceNames('team', 'webhook') });
    const before = bytes();
    const again = await create({ now: new Date(now.getTime() + 300 * day) });
    expect([again.authority, again.serving, again.notes]).toEqual(['kept', 'kept', []]);
    expect(bytes()).toEqual(before);
  });

  it.each<[string, Partial<CreateOptions>, string]>([
    ['other names', { names: { dns: ['new.example'], ips: [] } }, 'names: +new.example'],
    ['an expiry that is near', { now: new Date(now.getTime() + 336 * day) }, 'it expires on 2027-06-01T12:00:00Z'],
    ['another type of key', { keyType: 'ed25519' }, 'its key is ecdsa-p256'],
    [
      'an expiry that has passed',
      { now: new Date(now.getTime() + 400 * day) },
      'tls: failed to verify certificate: x509: certificate has expired',
    ],
  ])('are renewed under the same authority for %s', async (_, options, reason) => {
    await create();
    const [ca, caKey, leaf] = bytes();
    const renewed = await create(options);
    expect([renewed.authority, renewed.serving]).toEqual(['kept', 'renewed']);
    expect(renewed.reason).toContain(reason);
    expect(bytes().slice(0, 2)).toEqual([ca, caKey]);
    expect(read('tls.crt')).not.toBe(leaf);
    expect(refusal('localhost', options.now)).toBeUndefined();
    expect(generations()).toHaveLength(1);
  });

  it('get a new authority on request only, and both are trusted until the old certificate expires', async () => {
    await create();
    const old = { ca: read('ca.crt'), leaf: readPem(read('tls.crt')).blocks.map(block => block.bytes) };
    const rotated = await create({ rotateAuthority: true, now: new Date(now.getTime() + day) });
    expect([rotated.authority, rotated.serving, rotated.reason]).toEqual(['rotated', 'renewed', 'the CA is new']);
    expect(certificatesIn(read('ca.crt'))).toHaveLength(2);
    expect(read('ca.crt').endsWith(old.ca)).toBe(true);
    expect(refusal('localhost', new Date(now.getTime() + day))).toBeUndefined();
    expect(peerCertificateError({ chain: old.leaf, bundle: read('ca.crt'), serverName: 'localhost', at: now })).toBeUndefined();

    const kept = await create({ now: new Date(now.getTime() + 2 * day) });
    expect([kept.authority, certificatesIn(read('ca.crt')).length]).toEqual(['kept', 2]);
    const later = await create({ now: new Date(now.getTime() + 366 * day) });
    expect([later.authority, certificatesIn(read('ca.crt')).length]).toEqual(['kept', 1]);
  });

  it('are not issued by an expired authority', async () => {
    await create();
    const error: unknown = await create({ now: new Date(now.getTime() + 3700 * day) }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CertificateError);
    expect(error).toMatchObject({ code: 'unusable', suggestions: ['pass --rotate-ca to create another one'] });
  });

  it('do not outlive their authority', async () => {
    const { current } = await create({ now: new Date(now.getTime() - 3600 * day) });
    const late = await create({ renewBeforeMs: 300 * day });
    expect(late.current.serving.certificate.notAfter).toEqual(current.authority.certificate.notAfter);
    expect(late.notes).toEqual([
      `the CA expires on ${current.authority.certificate.notAfter.text.slice(0, 10)}: pass --rotate-ca before that`,
    ]);
    expect((await create({ renewBeforeMs: 300 * day })).serving).toBe('kept');
  });

  it('do not replace foreign files', async () => {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'tls.key'), 'mine');
    const error: unknown = await create().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'refused', message: 'tls.key exists and was not written by webhook-cli' });
    expect([readdirSync(folder), read('tls.key')]).toEqual([['tls.key'], 'mine']);
  });

  it('do not replace own files that were changed', async () => {
    await create();
    writeFileSync(path.join(folder, 'tls.crt'), 'other');
    await expect(create()).rejects.toThrow('tls.crt exists and was not written');
  });

  it('replace foreign files with force, after a copy', async () => {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'tls.key'), 'mine', { mode: 0o644 });
    const { backups } = await create({ force: true });
    expect(backups).toEqual(['tls.key.bak-20260601T120000Z']);
    expect(read('tls.key.bak-20260601T120000Z')).toBe('mine');
    expect(refusal()).toBeUndefined();
  });

  it('sign with a foreign authority that has its key', async () => {
    const elsewhere = path.join(scratch, 'elsewhere');
    await create({ folder: elsewhere });
    mkdirSync(folder);
    for (const name of ['ca.crt', 'ca.key']) writeFileSync(path.join(folder, name), readFileSync(path.join(elsewhere, name)));
    const created = await create({ force: true });
    expect([created.authority, created.serving]).toEqual(['kept', 'created']);
    expect(read('ca.crt')).toBe(readFileSync(path.join(elsewhere, 'ca.crt'), 'utf8'));
  });

  it('are written to the target of a linked folder, and the link stays', async () => {
    const real = path.join(scratch, 'real');
    mkdirSync(real);
    symlinkSync(real, folder);
    await create();
    expect(lstatSync(folder).isSymbolicLink()).toBe(true);
    expect(readdirSync(real)).toContain('tls.crt');
  });

  it('are written to the targets of the links of a mounted Secret', async () => {
    mkdirSync(path.join(folder, '..2026_01_01'), { recursive: true });
    for (const name of ['tls.crt', 'tls.key', 'ca.crt']) writeFileSync(path.join(folder, '..2026_01_01', name), `old ${name}`);
    symlinkSync('..2026_01_01', path.join(folder, '..data'));
    for (const name of ['tls.crt', 'tls.key', 'ca.crt']) symlinkSync(`..data/${name}`, path.join(folder, name));
    await expect(create()).rejects.toThrow(CertificateError);
    await create({ force: true });
    for (const name of ['tls.crt', 'tls.key', 'ca.crt', '..data']) expect(lstatSync(path.join(folder, name)).isSymbolicLink()).toBe(true);
    expect(refusal()).toBeUndefined();
    expect(read('tls.key.bak-20260601T120000Z')).toBe('old tls.key');
    expect(read('..2026_01_01/tls.key')).toBe('old tls.key');
  });

  it('never write through a link to somewhere else', async () => {
    const victim = path.join(scratch, 'victim');
    writeFileSync(victim, 'theirs');
    mkdirSync(folder);
    symlinkSync(victim, path.join(folder, 'tls.key'));
    await create({ force: true });
    expect(readFileSync(victim, 'utf8')).toBe('theirs');
    expect(refusal()).toBeUndefined();
  });

  it('get the links that an interrupted run did not create', async () => {
    await create();
    const before = bytes();
    unlinkSync(path.join(folder, 'tls.crt'));
    const again = await create();
    expect([again.authority, again.serving, bytes()]).toEqual(['kept', 'kept', before]);
  });

  it('remove the remains of dead processes', async () => {
    mkdirSync(path.join(folder, '..webhook-cli-20260101T000000Z-2147480000-0123abcd'), { recursive: true });
    mkdirSync(path.join(scratch, '.certs-webhook-cli-20260101T000000Z-2147480000-0123abcd'));
    await create();
    expect(generations()).toHaveLength(1);
    await create({ folder: path.join(scratch, 'more') });
    expect(readdirSync(scratch).sort()).toEqual(['certs', 'more']);
  });

  it.runIf(process.platform === 'linux')('name the folder, not the unfinished one, in an error', async () => {
    // Nobody can create a folder there.
    await expect(create({ folder: '/sys/certs' })).rejects.toMatchObject({ path: '/sys/certs' });
  });

  it('remove the permissions of others on a key, with a note', async () => {
    await create();
    chmodSync(path.join(folder, 'tls.key'), 0o644);
    const { notes } = await create();
    expect(notes).toEqual(['tls.key was readable by other users: permissions are now fixed, but it may have been copied']);
    expect(modes()['tls.key']).toBe(0o600);
  });
});

describe('a name for a certificate', () => {
  it.each([
    ['Webhook.Example', { dns: ['webhook.example'], ips: [] }],
    ['*.example', { dns: ['*.example'], ips: [] }],
    ['bücher.example', { dns: ['xn--bcher-kva.example'], ips: [] }],
    ['my_host', { dns: ['my_host'], ips: [] }],
    ['10.0.0.1', { dns: [], ips: ['10.0.0.1'] }],
    ['[::1]', { dns: [], ips: ['::1'] }],
    ['0:0:0:0:0:0:0:1', { dns: [], ips: ['::1'] }],
    ['*', undefined],
    ['a.*.b', undefined],
    ['a..b', undefined],
    ['-a', undefined],
    ['1.2.3', undefined],
    ['a b', undefined],
    ['a,b', undefined],
    ['', undefined],
    [`${'a'.repeat(64)}.b`, undefined],
  ])('%s', (text, names) => {
    expect(servingName(text)).toEqual(names);
  });
});

function modes(): Record<string, number> {
  return Object.fromEntries(['ca.crt', 'ca.key', 'tls.crt', 'tls.key'].map(name => [name, statSync(path.join(folder, name)).mode & 0o777]));
}

function generations(): string[] {
  return readdirSync(folder).filter(name => name.startsWith('..webhook-cli-'));
}
