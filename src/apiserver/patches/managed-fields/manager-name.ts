import { isPrintable } from '../../../go/printable.js';
import { decodeGoUtf8 } from '../../../go/utf8.js';

/** Bytes a manager's name may have. */
const maximumLength = 128;

/**
 * Returns the manager of a request: what the client calls itself, or what stands in its User-Agent before the first slash, without what
 * cannot be printed. Empty stands for `unknown`. Source: apiserver handlers/create.go managerOrUserAgent.
 *
 * Clients send the characters of a header as one byte each, and Go reads the bytes as UTF-8.
 */
export function managerName(fieldManager: string, userAgent: string): string {
  if (fieldManager !== '') return fieldManager;
  let name = '';
  for (const character of decodeGoUtf8(Buffer.from(userAgent.split('/', 1)[0] ?? '', 'latin1'))) {
    if (!isPrintable(character)) continue;
    if (Buffer.byteLength(name) + Buffer.byteLength(character) > maximumLength) break;
    name += character;
  }
  return name;
}
