import { createPrivateKey, createPublicKey, generateKeyPair, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { ownMember } from '../go/own-members.js';

/** Supported key types; every API server accepts them all. */
export const keyTypes = ['ecdsa-p256', 'ecdsa-p384', 'rsa-2048', 'rsa-3072', 'rsa-4096', 'ed25519'] as const;

export type KeyType = (typeof keyTypes)[number];

/** Generates a private key. RSA is slow: up to some seconds for 4096 bits. */
export async function generateKey(type: KeyType): Promise<KeyObject> {
  // In less time than another thread takes to start.
  if (type === 'ed25519') return generateKeyPairSync('ed25519').privateKey;
  if (type === 'ecdsa-p256' || type === 'ecdsa-p384')
    return generateKeyPairSync('ec', { namedCurve: type === 'ecdsa-p256' ? 'P-256' : 'P-384' }).privateKey;
  return generateRsaKey(Number(type.slice('rsa-'.length)));
}

function generateRsaKey(modulusLength: number): Promise<KeyObject> {
  return new Promise((resolve, reject) => {
    generateKeyPair('rsa', { modulusLength }, (error, _, key) => (error === null ? resolve(key) : reject(error)));
  });
}

/** Returns the type of a key as in {@link keyTypes}, or OpenSSL's name. */
export function describeKey(key: KeyObject): string {
  const details = key.asymmetricKeyDetails;
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return `rsa-${details?.modulusLength ?? 0}`;
    case 'ec':
      return ownMember(curveNames, details?.namedCurve ?? '') ?? `ecdsa-${details?.namedCurve ?? 'unknown'}`;
    default:
      return key.asymmetricKeyType ?? 'unknown';
  }
}

const curveNames: Readonly<Record<string, string>> = { prime256v1: 'ecdsa-p256', secp384r1: 'ecdsa-p384', secp521r1: 'ecdsa-p521' };

/** Returns the private key in a PEM text; undefined if there is none without a passphrase. */
export function privateKeyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** Returns whether a private key matches the public key of a certificate. `publicKeyInfo` is DER. */
export function belongsTo(key: KeyObject, publicKeyInfo: Uint8Array): boolean {
  return Buffer.compare(createPublicKey(key).export({ format: 'der', type: 'spki' }), publicKeyInfo) === 0;
}
