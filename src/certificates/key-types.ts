import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

/** The keys that can be asked for; every API server accepts them all. */
export const keyTypes = ['ecdsa-p256', 'ecdsa-p384', 'rsa-2048', 'rsa-3072', 'rsa-4096', 'ed25519'] as const;

export type KeyType = (typeof keyTypes)[number];

/** A new private key. RSA takes its time: 4096 bits up to some seconds. */
export async function generateKey(type: KeyType): Promise<KeyObject> {
  if (type === 'ed25519') return (await generate('ed25519')).privateKey;
  if (type === 'ecdsa-p256' || type === 'ecdsa-p384') {
    return (await generate('ec', { namedCurve: type === 'ecdsa-p256' ? 'P-256' : 'P-384' })).privateKey;
  }
  return (await generate('rsa', { modulusLength: Number(type.slice('rsa-'.length)) })).privateKey;
}

/** What a key is, in the words of {@link keyTypes}; keys of other kinds in OpenSSL's. */
export function describeKey(key: KeyObject): string {
  const details = key.asymmetricKeyDetails;
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return `rsa-${details?.modulusLength ?? 0}`;
    case 'ec':
      return curveNames[details?.namedCurve ?? ''] ?? `ecdsa-${details?.namedCurve ?? 'unknown'}`;
    default:
      return key.asymmetricKeyType ?? 'unknown';
  }
}

const curveNames: Readonly<Record<string, string>> = { prime256v1: 'ecdsa-p256', secp384r1: 'ecdsa-p384', secp521r1: 'ecdsa-p521' };

/** The private key in a PEM text; undefined when there is none that can be used without a passphrase. */
export function privateKeyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** Whether a private key belongs to the key in a certificate. `publicKeyInfo` is the certificate's, DER. */
export function belongsTo(key: KeyObject, publicKeyInfo: Uint8Array): boolean {
  return Buffer.compare(createPublicKey(key).export({ format: 'der', type: 'spki' }), publicKeyInfo) === 0;
}
