/** What a user can get wrong with certificates; anything else that is thrown is a bug, or a system's error about a file. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
  /** `refused`: we do not write. `unusable`: a certificate, key or document that cannot be worked with. */
  readonly code: 'refused' | 'unusable';
  /** What to do about it, in the imperative. */
  readonly suggestions: readonly string[];

  constructor(code: 'refused' | 'unusable', message: string, suggestions: readonly string[] = []) {
    super(message);
    this.code = code;
    this.suggestions = suggestions;
  }
}
