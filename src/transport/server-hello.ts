import { TransportError } from './transport-error.js';

/** What the server chose in its first message. */
export interface ServerHello {
  /** 0x0303 is TLS 1.2, 0x0304 is TLS 1.3. */
  readonly version: number;
  readonly cipherSuite: number;
}

export const tls12 = 0x0303;
export const tls13 = 0x0304;

/**
 * Reads the body of a ServerHello; undefined when it is not one.
 * Fails with a {@link TransportError} when Go would not go on with it. Source: Go crypto/tls pickTLSVersion, pickCipherSuite.
 */
export function readServerHello(body: Buffer): ServerHello | undefined {
  if (body.length < 35) return undefined;
  const legacyVersion = body.readUInt16BE(0);
  const random = body.subarray(2, 34);
  const afterSession = 35 + (body[34] ?? 0);
  if (body.length < afterSession + 3) return undefined;
  const cipherSuite = body.readUInt16BE(afterSession);
  const compression = body[afterSession + 2];
  const version = supportedVersion(body.subarray(afterSession + 3)) ?? legacyVersion;

  if (version !== tls12 && version !== tls13) refuse(`server selected unsupported protocol version ${version.toString(16)}`);
  const canary = random.subarray(24).toString('latin1');
  if (version === tls12 && (canary === 'DOWNGRD\x01' || canary === 'DOWNGRD\x00')) {
    refuse('downgrade attempt detected, possibly due to a MitM attack or a broken middlebox');
  }
  if (!(version === tls13 ? suites13 : suites12).has(cipherSuite)) refuse('server chose an unconfigured cipher suite');
  if (compression !== 0) {
    refuse(version === tls13 ? 'server sent non-zero legacy TLS compression method' : 'server selected unsupported compression format');
  }
  return { version, cipherSuite };
}

function refuse(why: string): never {
  throw new TransportError('tls', `tls: ${why}`);
}

const supportedVersionsExtension = 43;

function supportedVersion(extensions: Buffer): number | undefined {
  let at = 2;
  while (at + 4 <= extensions.length) {
    const length = extensions.readUInt16BE(at + 2);
    if (extensions.readUInt16BE(at) === supportedVersionsExtension && length === 2 && at + 6 <= extensions.length) {
      return extensions.readUInt16BE(at + 4);
    }
    at += 4 + length;
  }
  return undefined;
}

const suites13: ReadonlySet<number> = new Set([0x1301, 0x1302, 0x1303]);

/** ECDHE with AES-GCM, ChaCha20 and AES-CBC-SHA, for ECDSA and RSA. Source: Go crypto/tls defaultCipherSuites. */
const suites12: ReadonlySet<number> = new Set([0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc009, 0xc013, 0xc00a, 0xc014]);
