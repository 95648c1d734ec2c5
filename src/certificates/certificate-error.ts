/** User mistake with certificates; other errors are bugs, or system errors of a file. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
  /** `refused`: the files are not written. `unusable`: a certificate, key or document cannot be used. */
  readonly code: 'refused' | 'unusable';
  /** Suggested fixes, in the imperative. */
  readonly suggestions: readonly string[];

  constructor(code: 'refused' | 'unusable', message: string, suggestions: readonly string[] = []) {
    super(message);
    this.code = code;
    this.suggestions = suggestions;
  }
}
