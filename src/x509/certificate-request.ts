import { isUtf8 } from 'node:buffer';
import { type Asn1Cursor, type Asn1Element, readAny, readField, readItems, structureError, syntaxError } from './asn1-field.js';
import { signatureProblem } from './check-signature.js';
import { cursorOver } from './der.js';
import { type BitString, readBitString, readObjectIdentifier, rightAligned } from './der-values.js';
import { MalformedCertificate } from './malformed-certificate.js';
import { readPem } from './pem.js';
import { type AlgorithmIdentifier, type PublicKey, readPublicKey } from './public-key.js';
import { signatureAlgorithmOf } from './signature-algorithm.js';
import { readSubjectAlternativeNames } from './subject-alternative-names.js';

/** Parsed PKCS #10 request. */
export interface CertificateRequest {
  readonly rawPublicKeyInfo: Uint8Array;
  /** Undefined for an algorithm that Go does not support. */
  readonly publicKey: PublicKey | undefined;
  /** Go's error if the request is not signed by its key. */
  readonly signatureError: string | undefined;
}

/**
 * Returns Go's error for a PKCS #10 request in PEM that cannot be parsed or is not signed by its key; undefined if it is valid. Source:
 * kubernetes pkg/apis/certificates ParseCSR, crypto/x509 CertificateRequest.CheckSignature.
 */
export function certificateRequestError(pem: string): string | undefined {
  const [block] = readPem(pem).blocks;
  if (block?.type !== 'CERTIFICATE REQUEST') return 'PEM block type must be CERTIFICATE REQUEST';
  const request = parseCertificateRequest(block.bytes);
  return typeof request === 'string' ? request : request.signatureError;
}

/** Parses a PKCS #10 request in DER, or returns Go's error. Source: crypto/x509 ParseCertificateRequest. */
export function parseCertificateRequest(der: Uint8Array): CertificateRequest | string {
  try {
    return readRequest(der);
  } catch (error) {
    if (error instanceof MalformedCertificate) return error.message;
    throw error;
  }
}

const sequence = (type: string) => ({ tag: 16, isCompound: true, type });
const oid = { tag: 6, isCompound: false, type: 'ObjectIdentifier' };
const bits = { tag: 3, isCompound: false, type: 'BitString' };
const algorithm = sequence('AlgorithmIdentifier');

function readRequest(der: Uint8Array): CertificateRequest {
  const all = { bytes: der, at: 0 };
  const outer = inside(readField(all, sequence('certificateRequest')));
  const signed = readField(outer, sequence('tbsCertificateRequest'));
  const inner = inside(signed);
  checkVersion(readField(inner, { tag: 2, isCompound: false, type: 'int' }).contents);
  const subject = readAny(inner);
  const keyInfo = readField(inner, sequence('publicKeyInfo'));
  const key = inside(keyInfo);
  const identifier = readAlgorithm(key);
  const keyBits = bitStringOf(readField(key, bits));
  const attributes = readAttributes(inner);
  const signatureAlgorithm = signatureAlgorithmOf(readAlgorithm(outer));
  const signatureBits = rightAligned(bitStringOf(readField(outer, bits)));
  if (all.at !== der.length) throw syntaxError('trailing data');
  const publicKey = readPublicKey(identifier, keyBits);
  checkSubject(subject);
  checkExtensions(attributes);
  const signature = { signed: signed.whole, signature: signatureBits, algorithm: signatureAlgorithm };
  return { rawPublicKeyInfo: keyInfo.whole, publicKey, signatureError: signatureProblem(signature, { publicKey, info: keyInfo.whole }) };
}

function inside({ contents }: Asn1Element): Asn1Cursor {
  return { bytes: contents, at: 0 };
}

function checkVersion(contents: Uint8Array): void {
  const [first, second] = contents;
  if (first === undefined) throw structureError('empty integer');
  if (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)))
    throw structureError('integer not minimally-encoded');
  if (contents.length > 8) throw structureError('integer too large');
}

function readAlgorithm(cursor: Asn1Cursor): AlgorithmIdentifier {
  const own = inside(readField(cursor, algorithm));
  const id = identifierOf(readField(own, oid));
  return { algorithm: id, parameters: own.at === own.bytes.length ? new Uint8Array() : readAny(own).whole };
}

function identifierOf({ contents, whole }: Asn1Element): string {
  if (contents.length === 0) throw syntaxError('zero length OBJECT IDENTIFIER');
  const id = readObjectIdentifier(cursorOver(whole));
  if (id === undefined) throw syntaxError('truncated base 128 integer');
  return id;
}

function bitStringOf({ contents, whole }: Asn1Element): BitString {
  if (contents.length === 0) throw syntaxError('zero length BIT STRING');
  const read = readBitString(cursorOver(whole));
  if (read === undefined) throw syntaxError('invalid padding bits in BIT STRING');
  return read;
}

/** Attributes have the context-specific tag 0. */
function readAttributes(inner: Asn1Cursor): Asn1Element[] {
  const found = readAny(inner);
  if (found.class !== 2 || found.tag !== 0 || !found.isCompound) throw structureError("tags don't match");
  return readItems(found.contents);
}

function checkSubject(subject: Asn1Element): void {
  const names = readField({ bytes: subject.whole, at: 0 }, sequence('RDNSequence'));
  for (const set of readItems(names.contents, { tag: 17, isCompound: true, type: 'RelativeDistinguishedNameSET' })) {
    for (const attribute of readItems(set.contents, sequence('AttributeTypeAndValue'))) {
      const own = inside(attribute);
      identifierOf(readField(own, oid));
      checkText(readAny(own));
    }
  }
}

/** Source: encoding/asn1 parsePrintableString, parseIA5String, parseUTF8String. */
function checkText({ class: own, tag, isCompound, contents }: Asn1Element): void {
  if (own !== 0 || isCompound) return;
  const text = Buffer.from(contents).toString('latin1');
  if (tag === 19 && !/^[A-Za-z0-9 '()+,\-./:=?*&]*$/.test(text)) throw syntaxError('PrintableString contains invalid character');
  if (tag === 18 && !/^[0-9 ]*$/.test(text)) throw syntaxError('NumericString contains invalid character');
  if (tag === 22 && contents.some(octet => octet > 0x7f)) throw syntaxError('IA5String contains invalid character');
  if (tag === 12 && !isUtf8(contents)) throw new MalformedCertificate('asn1: invalid UTF-8 string');
}

const extensionRequest = '1.2.840.113549.1.9.14';
const alternativeNames = '2.5.29.17';

/** Attributes that cannot be parsed are ignored. Source: crypto/x509 parseCSRExtensions. */
function checkExtensions(attributes: readonly Asn1Element[]): void {
  const extensions = attributes.flatMap(attribute => {
    const list = requestedExtensions(attribute);
    return list === undefined ? [] : [readExtensions(list)];
  });
  for (const { id, value } of extensions.flat()) if (id === alternativeNames) readSubjectAlternativeNames(value);
}

function requestedExtensions(attribute: Asn1Element): Asn1Element | undefined {
  try {
    const own = inside(readField({ bytes: attribute.whole, at: 0 }, sequence('pkcs10Attribute')));
    const id = identifierOf(readField(own, oid));
    const [first] = readItems(readField(own, { tag: 17, isCompound: true, type: '' }).contents);
    return id === extensionRequest ? first : undefined;
  } catch (error) {
    if (error instanceof MalformedCertificate) return undefined;
    throw error;
  }
}

function readExtensions(list: Asn1Element): { readonly id: string; readonly value: Uint8Array }[] {
  const items = readItems(readField({ bytes: list.whole, at: 0 }, sequence('')).contents, sequence('Extension'));
  const extensions = items.map(item => {
    const own = inside(item);
    const id = identifierOf(readField(own, oid));
    if (own.bytes[own.at] === 1) readAny(own);
    return { id, value: readField(own, { tag: 4, isCompound: false, type: '' }).contents };
  });
  if (new Set(extensions.map(({ id }) => id)).size < extensions.length)
    throw new MalformedCertificate('x509: certificate request contains duplicate requested extensions');
  return extensions;
}
