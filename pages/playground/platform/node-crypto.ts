import { NotReproduced } from '../../../src/apiserver/admission/not-reproduced.js';

/** Names of constants that the checks of keys read. */
export const constants: Readonly<Record<string, number>> = {};

export const randomUUID = (): string => crypto.randomUUID();

/** Number of times that a key or a signature was to be checked: what depends on it is not shown. */
export const asked = { count: 0 };

function notHere(): never {
  asked.count += 1;
  throw new NotReproduced('checks of keys and signatures need Node: they are not reproduced in a browser');
}

export const createHash = notHere;
export const createECDH = notHere;
export const createPrivateKey = notHere;
export const createPublicKey = notHere;
export const verify = notHere;
export class X509Certificate {
  constructor() {
    notHere();
  }
}
