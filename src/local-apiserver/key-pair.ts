/** PEM: a serving certificate, its key, and the CA that signed it. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}
