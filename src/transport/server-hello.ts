import { TransportError } from './transport-error.js';

/** Choices of the server in its first message. */
export interface ServerHello {
  /** 0x0303 is TLS 1.2, 0x0304 is TLS 1.3. */
  readonly version: number;
  readonly cipherSuite: number;
  /** Whether it asks the client to start again; the real one follows. */
  readonly isRetryRequest: boolean;
}

export const tls12 = 0x0303;
export const tls13 = 0x0304;

/**
 * Parses the body of a ServerHello; undefined if it is not one. `sessionId` is the client's. Fails with a {@link TransportError} if Go
 * would abort. Source: Go crypto/tls clientHandshake.
 */
export function readServerHello(body: Buffer, sessionId: Buffer): ServerHello | undefined {
  const fields = fieldsOf(body);
  if (fields === undefined) return undefined;
  const version = fields.supportedVersion ?? fields.legacyVersion;
  if (version !== tls12 && version !== tls13) refuse(`server selected unsupported protocol version ${version.toString(16)}`);
  if (version === tls12) check12(fields, sessionId);
  else check13(fields, sessionId);
  return { version, cipherSuite: fields.cipherSuite, isRetryRequest: fields.random.equals(retryRandom) };
}

/** Returns the session ID of an outgoing ClientHello record; undefined if it is not one. */
export function clientSessionId(record: Buffer): Buffer | undefined {
  const lengthAt = 5 + 4 + 2 + 32;
  const length = record[lengthAt];
  return length === undefined ? undefined : record.subarray(lengthAt + 1, lengthAt + 1 + length);
}

interface Fields {
  readonly legacyVersion: number;
  readonly random: Buffer;
  readonly sessionId: Buffer;
  readonly cipherSuite: number;
  readonly compression: number;
  readonly extensions: ReadonlyMap<number, Buffer>;
  readonly supportedVersion: number | undefined;
}

function fieldsOf(body: Buffer): Fields | undefined {
  const idLength = body[34];
  if (idLength === undefined || body.length < 35 + idLength + 3) return undefined;
  const after = 35 + idLength;
  const extensions = extensionsOf(body.subarray(after + 3));
  if (extensions === undefined) return undefined;
  const version = extensions.get(supportedVersionsExtension);
  if (version !== undefined && version.length !== 2) return undefined;
  return {
    legacyVersion: body.readUInt16BE(0),
    random: body.subarray(2, 34),
    sessionId: body.subarray(35, after),
    cipherSuite: body.readUInt16BE(after),
    compression: body.readUInt8(after + 2),
    extensions,
    supportedVersion: version?.readUInt16BE(0),
  };
}

function extensionsOf(bytes: Buffer): ReadonlyMap<number, Buffer> | undefined {
  const found = new Map<number, Buffer>();
  if (bytes.length === 0) return found;
  if (bytes.length < 2 || bytes.readUInt16BE(0) !== bytes.length - 2) return undefined;
  let at = 2;
  while (at < bytes.length) {
    if (at + 4 > bytes.length) return undefined;
    const type = bytes.readUInt16BE(at);
    const end = at + 4 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length || found.has(type)) return undefined;
    found.set(type, bytes.subarray(at + 4, end));
    at = end;
  }
  return found;
}

const supportedVersionsExtension = 43;

function check12({ random, sessionId, cipherSuite, compression }: Fields, ownSessionId: Buffer): void {
  const canary = random.subarray(24).toString('latin1');
  if (canary === 'DOWNGRD\x01' || canary === 'DOWNGRD\x00') {
    refuse('downgrade attempt detected, possibly due to a MitM attack or a broken middlebox');
  }
  if (ownSessionId.length > 0 && sessionId.equals(ownSessionId)) refuse('server echoed TLS 1.3 compatibility session ID in TLS 1.2');
  if (!suites12.has(cipherSuite)) refuse('server chose an unconfigured cipher suite');
  if (compression !== 0) refuse('server selected unsupported compression format');
}

function check13({ legacyVersion, supportedVersion, sessionId, extensions, compression, cipherSuite }: Fields, ownSessionId: Buffer): void {
  if (supportedVersion === undefined) refuse('server selected TLS 1.3 using the legacy version field');
  if (legacyVersion !== tls12) refuse('server sent an incorrect legacy version');
  if (forbiddenIn13.some(type => extensions.has(type))) refuse('server sent a ServerHello extension forbidden in TLS 1.3');
  if (!sessionId.equals(ownSessionId)) refuse('server did not echo the legacy session ID');
  if (compression !== 0) refuse('server sent non-zero legacy TLS compression method');
  if (!suites13.has(cipherSuite)) refuse('server chose an unconfigured cipher suite');
}

function refuse(why: string): never {
  throw new TransportError('tls', `tls: ${why}`);
}

/** Status request, ALPN, certificate timestamps, extended master secret, session ticket, renegotiation info. */
const forbiddenIn13 = [5, 16, 18, 23, 35, 0xff01];

const suites13: ReadonlySet<number> = new Set([0x1301, 0x1302, 0x1303]);

/** ECDHE with AES-GCM, ChaCha20 and AES-CBC-SHA, for ECDSA and RSA. Source: Go crypto/tls defaultCipherSuites. */
const suites12: ReadonlySet<number> = new Set([0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc009, 0xc013, 0xc00a, 0xc014]);

/** Source: RFC 8446 4.1.3. */
const retryRandom = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');
