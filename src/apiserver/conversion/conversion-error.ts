/** An object cannot be converted; the message is the API server's. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}
