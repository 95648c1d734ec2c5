import { quote } from '../quote.js';

/** The text is no address or prefix; the message is Go's. */
export class NetipError extends Error {
  override readonly name = 'NetipError';
}

/** An error of the address parser, with the rest of the text at which it stopped. */
export function addressError(text: string, message: string, at = ''): NetipError {
  return new NetipError(`ParseAddr(${quote(text)}): ${message}${at === '' ? '' : ` (at ${quote(at)})`}`);
}
