import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';

/** A key that verifies service account tokens. */
export interface PublicTokenKey {
  readonly key: KeyObject;
  /** Hash of the key. */
  readonly id: string;
  readonly algorithm: TokenAlgorithm;
}

export type TokenAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

/** Keys and names of service account tokens. */
export interface TokenAuthority {
  /** The first one signs; tokens of the others are accepted. */
  readonly issuers: readonly string[];
  /** Audiences of the API server itself. */
  readonly audiences: readonly string[];
  readonly signingKey: KeyObject;
  readonly publicKeys: readonly PublicTokenKey[];
}

const defaultIssuer = 'https://kubernetes.default.svc';

/** Returns an authority with a new key and the default issuer. */
export function newTokenAuthority(): TokenAuthority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { issuers: [defaultIssuer], audiences: [defaultIssuer], signingKey: privateKey, publicKeys: [publicTokenKey(publicKey)] };
}

/** Returns the private key in a PEM text. Throws the error of Node for other texts. */
export function signingKeyIn(pem: string): KeyObject {
  return createPrivateKey(pem);
}

/**
 * Returns the public keys in a PEM text: of certificates, private keys and public keys. Throws the error of Node for other texts. Source: client-go
 * util/keyutil ParsePublicKeysPEM.
 */
export function publicKeysIn(pem: string): PublicTokenKey[] {
  const blocks = pem.match(/-----BEGIN ([^-]+)-----[\s\S]+?-----END \1-----/g) ?? [pem];
  return blocks.filter(block => !block.startsWith('-----BEGIN EC PARAMETERS')).map(block => publicTokenKey(createPublicKey(block)));
}

/** Source: kubernetes pkg/serviceaccount/jwt.go keyIDFromPublicKey, openidmetadata.go algorithmFromPublicKey. */
export function publicTokenKey(key: KeyObject): PublicTokenKey {
  const id = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  const curve = key.asymmetricKeyDetails?.namedCurve;
  const algorithm = key.asymmetricKeyType === 'rsa' ? 'RS256' : curve === 'secp384r1' ? 'ES384' : curve === 'secp521r1' ? 'ES512' : 'ES256';
  return { key, id, algorithm };
}

/** Returns the JSON Web Key Set of public keys, with members in the order of go-jose. */
export function keySetOf(keys: readonly PublicTokenKey[]): string {
  const webKeys = keys.map(({ key, id, algorithm }) => {
    const { kty, crv, x, y, n, e } = key.export({ format: 'jwk' });
    return { use: 'sig', kty, kid: id, crv, alg: algorithm, x, y, n, e };
  });
  return JSON.stringify({ keys: webKeys });
}

/** Returns the signature of a token in base64url. */
export function tokenSignature(data: string, key: KeyObject, algorithm: TokenAlgorithm): string {
  return sign(hashes[algorithm], Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
}

/** Reports whether a key signed the data of a token. */
export function isTokenSignature(data: string, signature: string, { key, algorithm }: PublicTokenKey): boolean {
  return verify(hashes[algorithm], Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
}

const hashes = { RS256: 'sha256', ES256: 'sha256', ES384: 'sha384', ES512: 'sha512' } as const;
