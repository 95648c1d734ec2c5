// Members of other modules of Node that the engine imports.
import { NotReproduced } from '../../../src/apiserver/admission/not-reproduced.js';

function notHere(): never {
  throw new NotReproduced('needs Node, and is not reproduced in a browser');
}

/** node:tls: a page knows no roots of the machine. */
export const rootCertificates: readonly string[] = [];
/** node:os */
export const hostname = (): string => 'browser';
/** node:zlib */
export const brotliDecompressSync = notHere;
export const gunzipSync = notHere;
export const gzipSync = notHere;

/** node:buffer */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
