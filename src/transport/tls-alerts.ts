import { TransportError } from './transport-error.js';

/** Returns the error for a TLS alert of the peer. Source: Go crypto/tls, an alert inside net.OpError "remote error". */
export function remoteAlert(code: number): TransportError {
  return new TransportError('tls', `remote error: ${alertText(code)}`);
}

/** Returns the error for an alert that Go itself sends. Source: Go crypto/tls sendAlert, net.OpError "local error". */
export function localAlert(code: number): TransportError {
  return new TransportError('tls', `local error: ${alertText(code)}`);
}

/** Codes of the alerts used. Source: RFC 8446 6. */
export const alerts = { unexpectedMessage: 10, badRecordMac: 20, recordOverflow: 22, decodeError: 50 } as const;

function alertText(code: number): string {
  return `tls: ${alertTexts.get(code) ?? `alert(${code})`}`;
}

const alertTexts: ReadonlyMap<number, string> = new Map([
  [0, 'close notify'],
  [10, 'unexpected message'],
  [20, 'bad record MAC'],
  [21, 'decryption failed'],
  [22, 'record overflow'],
  [30, 'decompression failure'],
  [40, 'handshake failure'],
  [42, 'bad certificate'],
  [43, 'unsupported certificate'],
  [44, 'revoked certificate'],
  [45, 'expired certificate'],
  [46, 'unknown certificate'],
  [47, 'illegal parameter'],
  [48, 'unknown certificate authority'],
  [49, 'access denied'],
  [50, 'error decoding message'],
  [51, 'error decrypting message'],
  [60, 'export restriction'],
  [70, 'protocol version not supported'],
  [71, 'insufficient security level'],
  [80, 'internal error'],
  [86, 'inappropriate fallback'],
  [90, 'user canceled'],
  [100, 'no renegotiation'],
  [109, 'missing extension'],
  [110, 'unsupported extension'],
  [111, 'certificate unobtainable'],
  [112, 'unrecognized name'],
  [113, 'bad certificate status response'],
  [114, 'bad certificate hash value'],
  [115, 'unknown PSK identity'],
  [116, 'certificate required'],
  [120, 'no application protocol'],
  [121, 'encrypted client hello required'],
]);
