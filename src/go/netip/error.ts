import { quote } from '../quote.js';

/** Not a valid address or prefix; the message is Go's. */
export class NetipError extends Error {
  override readonly name = 'NetipError';
}

/** Returns an error of the address parser, with the unparsed rest of the text. */
export function addressError(text: string, message: string, at = ''): NetipError {
  return new NetipError(`ParseAddr(${quote(text)}): ${message}${at === '' ? '' : ` (at ${quote(at)})`}`);
}
