import { quote } from '../go/quote.js';
import { constructedContextTag, contextTag, cursorOver, type DerCursor, enter, nextTagIs, readContents, readElement, tags } from './der.js';
import { readBitString, readBoolean, readInt64, readInteger, readObjectIdentifier, rightAligned, sameBytes } from './der-values.js';
import { type DistinguishedName, readDistinguishedName } from './distinguished-name.js';
import { type Extension, type ExtensionValues, readExtensionValues } from './extensions.js';
import { type Instant, readInstant } from './instant.js';
import { MalformedCertificate, requiredDer } from './malformed-certificate.js';
import { type PublicKey, readAlgorithmIdentifier, readPublicKey } from './public-key.js';
import { type SignatureAlgorithm, signatureAlgorithmOf } from './signature-algorithm.js';

/** Parsed certificate. Byte arrays are views of the given bytes. */
export interface Certificate extends ExtensionValues {
  readonly raw: Uint8Array;
  readonly rawSignedPart: Uint8Array;
  readonly rawIssuer: Uint8Array;
  readonly rawSubject: Uint8Array;
  readonly rawPublicKeyInfo: Uint8Array;
  /** 1 to 3. */
  readonly version: number;
  readonly serialNumber: bigint;
  readonly issuer: DistinguishedName;
  readonly subject: DistinguishedName;
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  /** Object identifier of the key's algorithm; `publicKey` is undefined if Go does not support it. */
  readonly publicKeyAlgorithm: string;
  readonly publicKey: PublicKey | undefined;
  /** Undefined for an algorithm that Go cannot verify. */
  readonly signatureAlgorithm: SignatureAlgorithm | undefined;
  readonly signature: Uint8Array;
  readonly extensions: readonly Extension[];
}

/**
 * Parses one certificate in DER without trailing data, or returns Go's error: `x509: malformed certificate` and so on. Memoized by byte
 * array, which must not change. Source: crypto/x509 ParseCertificate.
 */
export function parseCertificate(der: Uint8Array): Certificate | string {
  const known = parsedCertificates.get(der) ?? parse(der);
  parsedCertificates.set(der, known);
  return known;
}

/** A connection checks the same few certificates repeatedly. */
const parsedCertificates = new WeakMap<Uint8Array, Certificate | string>();

function parse(der: Uint8Array): Certificate | string {
  try {
    const certificate = readCertificate(der);
    return certificate.raw.length === der.length ? certificate : 'x509: trailing data';
  } catch (error) {
    if (error instanceof MalformedCertificate) return error.message;
    throw error;
  }
}

function readCertificate(der: Uint8Array): Certificate {
  const whole = requiredDer(readElement(cursorOver(der), tags.sequence), 'x509: malformed certificate');
  const outer = cursorOver(whole.contents);
  const signedPart = requiredDer(readElement(outer, tags.sequence), 'x509: malformed tbs certificate');
  const inner = cursorOver(signedPart.contents);
  const version = readVersion(inner);
  const serialNumber = requiredDer(readInteger(inner), 'x509: malformed serial number');
  if (serialNumber < 0n) throw new MalformedCertificate('x509: negative serial number');
  const signatureAlgorithm = readSignatureAlgorithm(inner, outer);
  const rawIssuer = requiredDer(readElement(inner, tags.sequence), 'x509: malformed issuer').whole;
  const issuer = readDistinguishedName(rawIssuer);
  const validity = requiredDer(enter(inner, tags.sequence), 'x509: malformed validity');
  const notBefore = instantOrThrow(validity);
  const notAfter = instantOrThrow(validity);
  // Go says issuer here, too.
  const rawSubject = requiredDer(readElement(inner, tags.sequence), 'x509: malformed issuer').whole;
  const subject = readDistinguishedName(rawSubject);
  const key = readKey(inner);
  const extensions = readExtensions(inner, version);
  const values = readExtensionValues(extensions);
  const signature = rightAligned(requiredDer(readBitString(outer), 'x509: malformed signature'));
  return {
    ...{ raw: whole.whole, rawSignedPart: signedPart.whole, rawIssuer, rawSubject, issuer, subject },
    ...{ version, serialNumber, notBefore, notAfter, signatureAlgorithm, signature, extensions },
    ...key,
    ...values,
  };
}

function readVersion(inner: DerCursor): number {
  if (!nextTagIs(inner, constructedContextTag(0))) return 1;
  const explicit = requiredDer(enter(inner, constructedContextTag(0)), 'x509: malformed version');
  const version = requiredDer(readInt64(explicit), 'x509: malformed version');
  if (version < 0n || explicit.at !== explicit.bytes.length) throw new MalformedCertificate('x509: malformed version');
  if (version > 2n) throw new MalformedCertificate('x509: invalid version');
  return Number(version) + 1;
}

/** The algorithm is inside the signed part and again before the signature: both must be the same bytes. */
function readSignatureAlgorithm(inner: DerCursor, outer: DerCursor): SignatureAlgorithm | undefined {
  const signed = requiredDer(readContents(inner, tags.sequence), 'x509: malformed signature algorithm identifier');
  const beside = requiredDer(readContents(outer, tags.sequence), 'x509: malformed algorithm identifier');
  if (!sameBytes(signed, beside)) {
    throw new MalformedCertificate("x509: inner and outer signature algorithm identifiers don't match");
  }
  return signatureAlgorithmOf(readAlgorithmIdentifier(signed));
}

function instantOrThrow(validity: DerCursor): Instant {
  const instant = readInstant(validity);
  if (typeof instant === 'string') throw new MalformedCertificate(instant);
  return instant;
}

function readKey(inner: DerCursor): Pick<Certificate, 'rawPublicKeyInfo' | 'publicKeyAlgorithm' | 'publicKey'> {
  const info = requiredDer(readElement(inner, tags.sequence), 'x509: malformed spki');
  const cursor = cursorOver(info.contents);
  const identifier = readAlgorithmIdentifier(
    requiredDer(readContents(cursor, tags.sequence), 'x509: malformed public key algorithm identifier'),
  );
  const bits = requiredDer(readBitString(cursor), 'x509: malformed subjectPublicKey');
  const publicKey = readPublicKey(identifier, bits);
  return { rawPublicKeyInfo: info.whole, publicKeyAlgorithm: identifier.algorithm, publicKey };
}

/** Extensions exist in version 3 only; in older versions they are ignored. */
function readExtensions(inner: DerCursor, version: number): Extension[] {
  if (version === 1) return [];
  skipOptional(inner, contextTag(1), 'x509: malformed issuerUniqueID');
  skipOptional(inner, contextTag(2), 'x509: malformed subjectUniqueID');
  if (version !== 3 || !nextTagIs(inner, constructedContextTag(3))) return [];
  const explicit = requiredDer(enter(inner, constructedContextTag(3)), 'x509: malformed extensions');
  const list = requiredDer(enter(explicit, tags.sequence), 'x509: malformed extensions');
  const extensions: Extension[] = [];
  while (list.at < list.bytes.length) {
    const extension = readExtension(requiredDer(enter(list, tags.sequence), 'x509: malformed extension'));
    if (extensions.some(({ id }) => id === extension.id)) {
      throw new MalformedCertificate(`x509: certificate contains duplicate extension with OID ${quote(extension.id)}`);
    }
    extensions.push(extension);
  }
  return extensions;
}

function readExtension(cursor: DerCursor): Extension {
  const id = requiredDer(readObjectIdentifier(cursor), 'x509: malformed extension OID field');
  const critical = nextTagIs(cursor, tags.boolean) ? requiredDer(readBoolean(cursor), 'x509: malformed extension critical field') : false;
  return { id, critical, value: requiredDer(readContents(cursor, tags.octetString), 'x509: malformed extension value field') };
}

function skipOptional(cursor: DerCursor, tag: number, message: string): void {
  if (nextTagIs(cursor, tag)) requiredDer(readElement(cursor, tag), message);
}
