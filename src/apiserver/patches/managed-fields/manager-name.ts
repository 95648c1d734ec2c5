import { isPrintable } from '../../../go/printable.js';
import { decodeGoUtf8 } from '../../../go/utf8.js';

/** Max bytes of a manager's name. */
const maximumLength = 128;

/**
 * Returns the manager of a request: the client's fieldManager, or its User-Agent up to the first slash, without unprintable characters.
 * Empty means `unknown`. Source: apiserver handlers/create.go managerOrUserAgent.
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
