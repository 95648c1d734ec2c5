/** PEM texts: a serving certificate, its key, and the authority that signed it. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}
