import * as der from '../../src/certificates/der-writer.js';
import { asIPv4, parseIP } from '../../src/go/net/ip.js';
import { mutated, type Oddities } from './random-certificate.js';

/** Extensions of one certificate: its intended usage, and random ones. */
export interface Purpose {
  readonly isAuthority: boolean;
  readonly keyId: Uint8Array;
  readonly issuerKeyId: Uint8Array;
  /** The name the client requests. */
  readonly host: string;
}

export const hosts = ['localhost', 'webhook.team.svc', 'a.example.com', 'b.a.example.com', 'example.com', '127.0.0.1', '::1', '10.1.2.3'];

export function randomExtensions(r: Oddities, { isAuthority, keyId, issuerKeyId, host }: Purpose): Uint8Array[] {
  const list: Uint8Array[] = [];
  const add = (id: string, percent: number, value: () => Uint8Array, critical = 0) => {
    if (!r.chance(percent)) return;
    const bytes = !r.odd(2) ? value() : mutated(r, value());
    list.push(extension(id, !r.odd(2) ? bytes : Buffer.concat([bytes, Uint8Array.of(5, 0)]), r.chance(critical)));
  };
  add('2.5.29.19', isAuthority ? 96 : 60, () => basicConstraints(r, isAuthority), 80);
  add('2.5.29.15', isAuthority ? 80 : 60, () => keyUsage(r, isAuthority), 80);
  add('2.5.29.37', isAuthority ? 15 : 70, () => extendedKeyUsage(r), 5);
  add('2.5.29.14', 60, () => der.octetString(!r.odd(7) ? keyId : Uint8Array.of(9)), r.odd(3) ? 100 : 0);
  add(
    '2.5.29.35',
    60,
    () => der.sequence(...(!r.odd(5) ? [der.implicit(0, !r.odd(7) ? issuerKeyId : Uint8Array.of(8))] : [])),
    r.odd(3) ? 100 : 0,
  );
  add('2.5.29.17', isAuthority ? 6 : 97, () => alternativeNames(r, host), 10);
  add('2.5.29.30', isAuthority ? 25 : 3, () => nameConstraints(r), 50);
  policies(r, isAuthority, add);
  add('2.5.29.31', 3, () => distributionPoints(r), 3);
  add('1.3.6.1.5.5.7.1.1', 3, () => infoAccess(), 3);
  add(r.pick(['1.2.3.4', '2.5.29.18', '2.5.29.9']), 3, () => der.nullValue(), 30);
  if (r.odd(1)) list.push(r.pick(list.length === 0 ? [extension('1.2.3', der.nullValue(), false)] : list));
  return r.chance(20) ? list.reverse() : list;
}

type Add = (id: string, percent: number, value: () => Uint8Array, critical?: number) => void;

function extension(id: string, value: Uint8Array, critical: boolean): Uint8Array {
  return der.sequence(der.objectIdentifier(id), ...(critical ? [der.boolean(true)] : []), der.octetString(value));
}

function basicConstraints(r: Oddities, isAuthority: boolean): Uint8Array {
  const says = !r.odd(4) ? isAuthority : !isAuthority;
  return der.sequence(
    ...(says ? [der.boolean(true)] : []),
    ...(r.chance(isAuthority ? 30 : 3) ? [der.derInteger(BigInt(r.pick([0, 0, 1, 1, 2, 5])))] : []),
  );
}

function keyUsage(r: Oddities, isAuthority: boolean): Uint8Array {
  if (!r.odd(10)) return isAuthority ? der.bitString(Uint8Array.of(0x06), 1) : der.bitString(Uint8Array.of(0xa0), 5);
  return der.bitString(Uint8Array.from(r.pick([[0x00], [0x80], [0x04], [0x80, 0x80], []])), 0);
}

function extendedKeyUsage(r: Oddities): Uint8Array {
  const ids = [
    '1.3.6.1.5.5.7.3.1',
    '1.3.6.1.5.5.7.3.1',
    '1.3.6.1.5.5.7.3.2',
    '2.5.29.37.0',
    '1.3.6.1.5.5.7.3.3',
    '1.2.3.4.5',
    '1.3.6.1.4.1.311.10.3.3',
  ];
  const count = r.chance(75) ? 0 : r.below(3);
  return der.sequence(
    ...(r.chance(75) ? [der.objectIdentifier('1.3.6.1.5.5.7.3.1')] : []),
    ...Array.from({ length: count }, () => der.objectIdentifier(r.pick(ids))),
  );
}

function alternativeNames(r: Oddities, host: string): Uint8Array {
  const count = !r.odd(5) ? r.below(4) : r.pick([0, 99, 100, 101]);
  const names = Array.from({ length: count }, () => alternativeName(r));
  return der.sequence(...(r.chance(85) ? [ownName(host)] : []), ...names);
}

function ownName(host: string): Uint8Array {
  const octets = parseIP(host.replace(/^\[(.*)\]$/, '$1'));
  if (octets === undefined)
    return der.implicit(
      2,
      Buffer.from(host, 'latin1').map(octet => octet & 0x7f),
    );
  return der.implicit(7, asIPv4(octets) ?? octets);
}

const dnsNames = [
  ...hosts,
  '*.example.com',
  '*',
  '*.svc',
  'LOCALHOST',
  'localhost.',
  'a.*.com',
  '-x.com',
  '.example.com',
  'a..b',
  '',
  'team@x',
  'other.test',
  'x_y.example.com',
];
const mails = ['a@example.com', 'a@localhost', '"q u"@b.example.com', 'plain', '@x', 'a@', 'A@Example.COM', 'a.@x', '\\a@example.com'];
const uris = [
  'https://a.example.com/x',
  'spiffe://localhost/ns/team',
  'https://example.com:8443/a%2fb?q#f',
  'urn:x:y',
  'https://[::1]:443/',
  'https://10.1.2.3/',
  'http://user:p%40ss@b.example.com/',
  '/relative',
  'https://a:b:c/',
  'x://a:1:2/',
  'https://%zz/',
  'https://a b/',
  ':x',
  'https://[::1/',
  'https://[1.2.3.4]/',
  'https://[::1%25eth0]:80/',
  'a:b@c/d',
  '*',
  '//example.com/a b',
  'https://Example.COM',
  'https://x.example.com/ä%41',
];

function alternativeName(r: Oddities): Uint8Array {
  const kind = r.below(100);
  if (kind < 75) return der.implicit(2, Buffer.from(!r.odd(40) ? r.pick(hosts) : r.pick(dnsNames), 'latin1'));
  if (kind < 90) return der.implicit(7, ipOctets(r));
  if (kind < 94) return der.implicit(1, Buffer.from(r.pick(r.odd(100) ? mails : mails.slice(0, 3)), 'latin1'));
  if (kind < 98 || !r.odd(100)) return der.implicit(6, Buffer.from(r.pick(r.odd(100) ? uris : uris.slice(0, 5)), 'latin1'));
  return r.pick([
    der.derElement(0xa4, der.sequence()),
    der.implicit(8, Uint8Array.of(42, 3)),
    der.implicit(2, Uint8Array.of(0xc3, 0xa4)),
    der.derElement(0x82 | 0x20, Uint8Array.of(97)),
  ]);
}

function ipOctets(r: Oddities): Uint8Array {
  if (r.odd(4)) return Buffer.alloc(r.below(20), 1);
  const four = r.pick(['7f000001', '0a010203', '0a000001', 'c0a80101']);
  return Buffer.from(
    r.pick([four, four, `00000000000000000000ffff${four}`, '00000000000000000000000000000001', '20010db8000000000000000000000001']),
    'hex',
  );
}

function nameConstraints(r: Oddities): Uint8Array {
  const side = (n: number) =>
    der.explicit(n, Buffer.concat(Array.from({ length: !r.odd(3) ? 1 + r.below(6) : 0 }, () => der.sequence(constraint(r)))));
  const which = r.below(100);
  return der.sequence(...(which < 50 || r.odd(20) ? [side(0)] : []), ...(which > 30 && !r.odd(20) ? [side(1)] : []));
}

const domains = [
  'example.com',
  '.example.com',
  'localhost',
  'svc',
  'a.example.com',
  'team.svc',
  'com',
  '',
  'EXAMPLE.com',
  'b.a.example.com',
  '-x.com',
  'x',
  'a..b',
  '.',
  'example.com.',
  '*.example.com',
];

function domain(r: Oddities): string {
  return r.pick(r.odd(100) ? domains : domains.slice(0, 8));
}

function constraint(r: Oddities): Uint8Array {
  const kind = r.below(100);
  if (kind < 60) return der.implicit(2, Buffer.from(domain(r)));
  if (kind < 80) return der.implicit(7, ipRange(r));
  if (kind < 88) return der.implicit(1, Buffer.from(r.chance(50) ? r.pick(r.odd(100) ? mails : mails.slice(0, 3)) : domain(r)));
  if (kind < 96 || !r.odd(100)) return der.implicit(6, Buffer.from(!r.odd(5) ? domain(r) : '10.0.0.1'));
  return r.pick([der.derElement(0xa4, der.sequence()), der.implicit(2, Uint8Array.of(0xe9)), der.implicit(8, Uint8Array.of(42, 3))]);
}

function ipRange(r: Oddities): Uint8Array {
  const four = r.pick([
    '0a000000ff000000',
    '7f000000ff000000',
    '0000000000000000',
    '0a010203ffff0000',
    '7f000001ffffffff',
    r.odd(50) ? '0a010000ff00ff00' : '0a010000ffffff00',
    'c0a80000ffff0000',
    '0a800000ff800000',
  ]);
  const six = r.pick([
    `${'0'.repeat(32)}${'0'.repeat(32)}`,
    `20010db8${'0'.repeat(24)}ffffffff${'0'.repeat(24)}`,
    `${'0'.repeat(20)}ffff0a000000${'f'.repeat(26)}000000`,
  ]);
  return Buffer.from(!r.odd(4) ? r.pick([four, four, six]) : '0a0000', 'hex');
}

function policies(r: Oddities, isAuthority: boolean, add: Add): void {
  if (!r.chance(25)) return;
  const ids = ['2.5.29.32.0', '1.2.3.1', '1.2.3.2', '1.2.3.3'];
  const id = () => der.objectIdentifier(r.pick(ids));
  add('2.5.29.32', 85, () =>
    der.sequence(
      ...[...ids.filter(() => r.chance(55)), ...(r.odd(20) ? ids : [])].map(own =>
        der.sequence(der.objectIdentifier(own), ...(r.chance(10) ? [der.sequence()] : [])),
      ),
    ),
  );
  if (!isAuthority && r.chance(85)) return;
  add('2.5.29.33', 25, () => der.sequence(...Array.from({ length: 1 + r.below(2) }, () => der.sequence(id(), id()))));
  const small = (n: number) => der.implicit(n, Uint8Array.of(r.below(3)));
  add('2.5.29.36', 40, () => der.sequence(...(r.chance(70) ? [small(0)] : []), ...(r.chance(40) ? [small(1)] : [])), 50);
  add('2.5.29.54', 25, () => der.derInteger(BigInt(r.below(3))), 50);
}

function distributionPoints(r: Oddities): Uint8Array {
  const name = der.explicit(0, der.explicit(0, der.implicit(6, Buffer.from('http://x/crl'))));
  return der.sequence(der.sequence(...(r.chance(80) ? [name] : [der.implicit(1, Uint8Array.of(0))])));
}

function infoAccess(): Uint8Array {
  return der.sequence(der.sequence(der.objectIdentifier('1.3.6.1.5.5.7.48.1'), der.implicit(6, Buffer.from('http://x/ocsp'))));
}
