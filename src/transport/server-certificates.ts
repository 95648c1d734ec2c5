import { createDecipheriv, createHmac } from 'node:crypto';
import type { RecordWatch } from './tls-records.js';

/** Returns the certificates (DER) of a Certificate message of TLS 1.2, in the server's order, the leaf first. Source: RFC 5246 7.4.2. */
export function certificatesInMessage(body: Buffer): readonly Buffer[] {
  return vector(body, 0, 3).flatMap(list => entries(list, 0));
}

/**
 * Returns the certificates of TLS 1.3, whose message is encrypted: it is decrypted with the secret that OpenSSL logs. Empty before the
 * secret is known. OpenSSL's own list is reordered, and lacks certificates that do not fit into a chain. Source: RFC 8446 4.4.2, 5.2, 7.3.
 */
export function certificatesInRecords(records: RecordWatch, keyLog: readonly Buffer[]): readonly Buffer[] {
  const suite = suites.get(records.serverHello()?.cipherSuite ?? 0);
  const secret = keyLog
    .map(line => /^SERVER_HANDSHAKE_TRAFFIC_SECRET \S+ (\S+)/.exec(line.toString())?.[1])
    .find(each => each !== undefined);
  if (suite === undefined || secret === undefined) return [];
  const message = certificateMessage(openedHandshake(records.protectedRecords(), suite, Buffer.from(secret, 'hex')));
  if (message === undefined) return [];
  return vector(message, 0, 1).flatMap(context => vector(message, 1 + context.length, 3).flatMap(list => entries(list, 2)));
}

interface Suite {
  readonly cipher: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305';
  readonly keyLength: number;
  readonly hash: string;
}

const suites: ReadonlyMap<number, Suite> = new Map([
  [0x1301, { cipher: 'aes-128-gcm', keyLength: 16, hash: 'sha256' }],
  [0x1302, { cipher: 'aes-256-gcm', keyLength: 32, hash: 'sha384' }],
  [0x1303, { cipher: 'chacha20-poly1305', keyLength: 32, hash: 'sha256' }],
]);

/** Returns the decrypted handshake bytes of records. */
function openedHandshake(records: readonly Buffer[], suite: Suite, secret: Buffer): Buffer {
  const key = expandLabel(suite, secret, 'key', suite.keyLength);
  const iv = expandLabel(suite, secret, 'iv', 12);
  const parts: Buffer[] = [];
  for (const [sequence, record] of records.entries()) {
    const opened = openRecord(record, suite, { key, iv: nonce(iv, sequence) });
    if (opened === undefined) break;
    parts.push(opened);
  }
  return Buffer.concat(parts);
}

function openRecord(record: Buffer, suite: Suite, { key, iv }: { readonly key: Buffer; readonly iv: Buffer }): Buffer | undefined {
  // All three are AEADs with one interface; Node's types list them separately.
  const decipher = createDecipheriv(suite.cipher as 'aes-128-gcm', key, iv, { authTagLength: 16 });
  decipher.setAAD(record.subarray(0, 5));
  decipher.setAuthTag(record.subarray(-16));
  try {
    const inner = Buffer.concat([decipher.update(record.subarray(5, -16)), decipher.final()]);
    return contentOf(inner, handshakeType);
  } catch {
    // Sent with other keys, after the handshake.
    return undefined;
  }
}

const handshakeType = 22;

/** Returns the content before its type and zero padding; empty if it is of another type. */
function contentOf(inner: Buffer, type: number): Buffer {
  let end = inner.length - 1;
  while (end > 0 && inner[end] === 0) end -= 1;
  return inner[end] === type ? inner.subarray(0, end) : inner.subarray(0, 0);
}

function expandLabel({ hash }: Suite, secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  // One block is enough: neither key nor IV is longer than the hash.
  const info = Buffer.concat([Buffer.from([0, length, name.length]), name, Buffer.from([0, 1])]);
  return createHmac(hash, secret).update(info).digest().subarray(0, length);
}

function nonce(iv: Buffer, sequence: number): Buffer {
  const out = Buffer.from(iv);
  out.writeUInt32BE((out.readUInt32BE(8) ^ sequence) >>> 0, 8);
  return out;
}

const certificateType = 11;

function certificateMessage(handshake: Buffer): Buffer | undefined {
  let at = 0;
  while (at + 4 <= handshake.length) {
    const length = handshake.readUIntBE(at + 1, 3);
    if (at + 4 + length > handshake.length) return undefined;
    if (handshake[at] === certificateType) return handshake.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return undefined;
}

/** Returns the bytes after a length of `width` bytes; empty if incomplete. */
function vector(bytes: Buffer, at: number, width: number): readonly Buffer[] {
  if (at + width > bytes.length) return [];
  const end = at + width + bytes.readUIntBE(at, width);
  return end > bytes.length ? [] : [bytes.subarray(at + width, end)];
}

/** Returns certificates, each with extensions after a length of `extensionWidth` bytes. */
function entries(list: Buffer, extensionWidth: number): readonly Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  while (at < list.length) {
    const [certificate] = vector(list, at, 3);
    if (certificate === undefined) return [];
    found.push(certificate);
    at += 3 + certificate.length;
    if (extensionWidth === 0) continue;
    const [extensions] = vector(list, at, extensionWidth);
    if (extensions === undefined) return [];
    at += extensionWidth + extensions.length;
  }
  return found;
}
