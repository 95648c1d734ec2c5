import { bundleError } from '../../src/x509/bundle.js';
import { pemText, readPem } from '../../src/x509/pem.js';
import { peerCertificateError } from '../../src/x509/verify-chain.js';
import { casesOf, readFolder } from '../corpus/files.js';
import { compareWithOracle, countAndSeed, type OracleAnswer, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import {
  type Made,
  makeCertificate,
  makeSigners,
  mutated,
  type Oddities,
  randomName,
  type Signer,
  servingSigners,
  withOddities,
} from './random-certificate.js';
import { hosts, randomExtensions } from './random-extensions.js';

/** Compares random certificate chains, valid and invalid, with Go's TLS client. */

const signers = makeSigners();
const recorded = readFolder('functions')
  .filter(file => file.name === 'certificates')
  .flatMap(casesOf);

const oddHosts = [
  '[::1]',
  '::ffff:127.0.0.1',
  'LOCALHOST',
  'localhost.',
  'bücher.example',
  '1.2.3',
  'a b',
  '0:0:0:0:0:0:0:1',
  '::1%eth0',
  '*.example.com',
];
const times = ['2026-06-01T11:59:59Z', '2027-01-01T00:00:00Z', '2027-01-01T00:00:01Z', '2025-06-01T00:00:00Z', '2051-01-01T00:00:00Z'];

function question(random: Random): Question {
  if (random.chance(20)) return recordedQuestion(random);
  const r = withOddities(random, random.pick([0, 0, 0, 20, 20, 100]));
  const host = r.chance(92) ? r.pick(hosts) : r.pick(oddHosts);
  const authorities: Made[] = [];
  for (let i = r.chance(50) ? 1 + r.below(2) : 1 + r.below(5); i > 0; i -= 1) authorities.push(authority(r, authorities, host));
  const issuer = r.chance(97) ? (r.chance(75) ? (authorities.at(-1) as Made) : r.pick(authorities)) : undefined;
  const leaf = certificate(r, { isAuthority: r.chance(4), issuer, signer: signers[r.below(servingSigners)] as Signer, host });
  const sent = authorities.filter(() => r.chance(85)).map(made => made.der);
  const trusted = r.chance(80) ? authorities.filter((_, i) => i === 0 || r.chance(15)) : authorities.filter(() => r.chance(50));
  if (r.chance(3)) trusted.push(leaf);
  if (r.odd(4)) sent.push(Buffer.from('not a certificate'));
  return {
    fn: 'certificates',
    chain: [leaf.der, ...shuffled(r, sent)].map(der => pemText('CERTIFICATE', der)).join(''),
    key: leaf.signer.key.export({ format: 'pem', type: 'pkcs8' }),
    bundle: bundle(r, shuffled(r, trusted)),
    serverName: host,
    time: r.chance(90) ? '2026-06-01T12:00:00Z' : r.pick(times),
  };
}

/** A recorded case with a few bytes changed in its chain, bundle or name. */
function recordedQuestion(r: Random): Question {
  const { chain, key, bundle: pem, serverName, time } = r.pick(recorded) as unknown as Record<string, string>;
  const again = (text = '') =>
    readPem(text)
      .blocks.map(({ type, bytes }) => pemText(type, r.chance(50) ? mutated(r, bytes) : bytes))
      .join('') || 'x';
  const changed = { chain: again(chain), bundle: r.chance(60) ? pem : again(pem), serverName: r.chance(90) ? serverName : r.pick(hosts) };
  return { fn: 'certificates', ...changed, key, time };
}

function authority(r: Oddities, earlier: readonly Made[], host: string): Made {
  const last = earlier.at(-1);
  const issuer = last === undefined || r.chance(12) ? undefined : r.chance(85) ? last : r.pick(earlier);
  const copied = earlier.length > 0 && r.chance(12) ? r.pick(earlier) : undefined;
  const signer = copied?.signer ?? r.pick(r.odd(30) ? signers : signers.slice(0, servingSigners));
  return certificate(r, { isAuthority: true, host, issuer, signer, ...(copied === undefined ? {} : { subject: copied.subject }) });
}

interface Wanted {
  readonly isAuthority: boolean;
  readonly issuer: Made | undefined;
  readonly signer: Signer;
  readonly subject?: Uint8Array;
  readonly host: string;
}

function certificate(r: Oddities, { isAuthority, issuer, signer, subject, host }: Wanted): Made {
  const keyId = Uint8Array.of(signers.indexOf(signer), 1, 2, 3);
  const extensions = randomExtensions(r, { isAuthority, keyId, issuerKeyId: issuer?.keyId ?? keyId, host });
  return makeCertificate(r, signers, { subject: subject ?? randomName(r), signer, issuer, extensions, keyId });
}

function bundle(r: Oddities, trusted: readonly Made[]): string {
  const type = () => (r.odd(5) ? r.pick(['TRUSTED CERTIFICATE', 'PRIVATE KEY', 'CERTIFICATE ']) : 'CERTIFICATE');
  const blocks = trusted.map(made => pemText(type(), made.der));
  if (!r.odd(25)) return blocks.join('') || '#';
  const before = r.pick(['', '', 'x\n', '\uFEFF', '\n', '-----END X-----\n']);
  return before + blocks.map(block => spoiled(r, block)).join('') || ' ';
}

function spoiled(r: Oddities, block: string): string {
  return r.pick([
    block,
    block.replaceAll('\n', '\r\n'),
    `# comment\n${block}`,
    `${block}\n\n`,
    block.replace('-----\n', '-----\nA: b\n\n'),
    block.replace(/\n$/, ''),
    ` ${block}`,
    block.replaceAll('\n', ' \t\n'),
    `-----BEGIN CERTIFICATE-----\n${block}`,
    Buffer.from(mutated(r, Buffer.from(block)).map(octet => octet & 0x7f)).toString('latin1'),
  ]);
}

function shuffled<T>(r: Oddities, list: readonly T[]): readonly T[] {
  if (r.chance(70)) return list;
  return list
    .map(value => ({ value, place: r.below(1000) }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}

function answer(asked: Question): OracleAnswer {
  const { chain, bundle: pem, serverName, time } = asked as Record<'chain' | 'bundle' | 'serverName' | 'time', string>;
  const words = bundleError(pem);
  if (words !== undefined) return { error: null, bundleError: `unable to load root certificates: ${words}` };
  const ders = readPem(chain).blocks.map(block => block.bytes);
  return { error: peerCertificateError({ chain: ders, bundle: pem, serverName, at: new Date(time) }) ?? null };
}

/** The step after the chain is accepted: a corrupted leaf has another key than the one the server signs with. */
function withoutHandshake(expected: OracleAnswer): OracleAnswer {
  const error = String(expected['error'] ?? '');
  return /^tls: (?:invalid signature by the server certificate|certificate used with invalid signature algorithm)/.test(error)
    ? { ...expected, error: null }
    : expected;
}

const { count, seed } = countAndSeed();
const r = randomFrom(seed);
compareWithOracle({ questions: Array.from({ length: count }, () => question(r)), answer, normalized: withoutHandshake });
