/** Go's parser refuses a certificate; `message` is its whole text, most begin with `x509: `. Thrown and caught inside this room. */
export class MalformedCertificate extends Error {
  override name = 'MalformedCertificate';
}

/** The value that was read, or the refusal that Go words this way. */
export function required<Value>(value: Value | undefined, words: string): Value {
  if (value === undefined) throw new MalformedCertificate(words);
  return value;
}
