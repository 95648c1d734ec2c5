/** Go's parser rejects a certificate; `message` is its whole text, and mostly begins with `x509: `. Thrown and caught inside this room. */
export class MalformedCertificate extends Error {
  override name = 'MalformedCertificate';
}

/** Returns the value, or throws MalformedCertificate with a message if it is undefined. */
export function requiredDer<Value>(value: Value | undefined, message: string): Value {
  if (value === undefined) throw new MalformedCertificate(message);
  return value;
}
