import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  clusterTrustBundleNameProblems,
  clusterTrustBundleRules,
} from '../../../src/apis/certificates/cluster-trust-bundle/cluster-trust-bundle-kind.js';
import { podCertificateRequestRules } from '../../../src/apis/certificates/pod-certificate-request/pod-certificate-request-kind.js';
import { FieldPath } from '../../../src/apiserver/registry/validation/field-path.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { printFieldError } from '../../../src/kubernetes/field-error.js';
import { server } from '../../support/server.js';

const errorsOf = (create: (field: FieldPath) => void, object: object): string[] => {
  const field = FieldPath.root(server, toValue(object));
  create(field);
  return field.errors.map(printFieldError);
};

const refused = (why: string) => [`spec.trustBundle: Invalid value: "<value omitted>": ${why}`];

it.each([
  ['', 'at least one trust anchor must be provided'],
  ['-----BEGIN X-----\nAAAA\n-----END X-----\n', 'entry 0 has bad block type: X'],
  ['-----BEGIN CERTIFICATE-----\nA: b\n\nAAAA\n-----END CERTIFICATE-----\n', 'entry 0 has PEM block headers'],
  ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'entry 0 does not parse as X.509'],
])('refuses the trust bundle %j', (trustBundle, why) => {
  expect(errorsOf(clusterTrustBundleRules.create, { spec: { trustBundle } })).toEqual(refused(why));
});

it.each([
  ['a', '', []],
  ['x:y', '', ['ClusterTrustBundle without signer name must not have ":" in its name']],
  ['h', 'example.com/s', ['ClusterTrustBundle for signerName example.com/s must be named with prefix example.com:s:']],
  ['example.com:s:h', 'example.com/s', []],
])('checks the name %s of a trust bundle for %j', (name, signerName, problems) => {
  expect(clusterTrustBundleNameProblems(name, toValue({ spec: { signerName } }) as ValueMap)).toEqual(problems);
});

const podUID = '2f6e7b1c-6b8a-4a39-9f6e-0e6a5b6c7d8e';
const base = {
  ...{ signerName: 'example.com/s', podName: 'p', podUID, serviceAccountName: 's', serviceAccountUID: 'u', nodeName: 'n', nodeUID: 'v' },
  ...{ maxExpirationSeconds: 86400, pkixPublicKey: 'AAAA', proofOfPossession: 'AAAA' },
};
const base64 = (key: KeyObject): string => key.export({ format: 'der', type: 'spki' }).toString('base64');
const requested = (more: object) => errorsOf(podCertificateRequestRules.create, { spec: { ...base, ...more } });

it('refuses keys that are none, and that are too weak', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  const curve = generateKeyPairSync('ec', { namedCurve: 'secp224r1' }).publicKey;
  const exchange = base64(generateKeyPairSync('x25519').publicKey);
  expect(requested({})).toEqual(['spec.pkixPublicKey: Invalid value: "AAAA": must be a valid PKIX-serialized public key']);
  expect(requested({ pkixPublicKey: base64(rsa) })).toEqual([
    'spec.pkixPublicKey: Invalid value: "2048-bit modulus": RSA keys must have modulus size 3072 or 4096',
  ]);
  expect(requested({ pkixPublicKey: base64(curve) })).toEqual([
    'spec.pkixPublicKey: Invalid value: "curve P-224": elliptic public keys must use curve P256 or P384',
  ]);
  expect(requested({ pkixPublicKey: exchange })).toEqual([
    `spec.pkixPublicKey: Invalid value: "${exchange}": unknown public key type; supported types are Ed25519, ECDSA, and RSA`,
  ]);
  expect(requested({ pkixPublicKey: 'A'.repeat(16_000) })).toEqual(['spec.pkixPublicKey: Too long: may not be more than 10240 bytes']);
  expect(requested({ pkixPublicKey: undefined, proofOfPossession: undefined })).toEqual([
    'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set',
  ]);
});

it.each([
  ['ec', 'sha256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['ed25519', null, generateKeyPairSync('ed25519')],
] as const)('verifies the possession of a key of type %s', (_type, hash, { publicKey, privateKey }) => {
  const pkixPublicKey = base64(publicKey);
  const proofOfPossession = sign(hash, Buffer.from(podUID), privateKey).toString('base64');
  expect(requested({ pkixPublicKey, proofOfPossession })).toEqual([]);
  expect(requested({ pkixPublicKey, proofOfPossession, podUID: 'x' })).toEqual([
    'spec.proofOfPossession: Invalid value: could not verify proof-of-possession signature',
  ]);
});

it('checks the request in place of a key', () => {
  const withRequest = (stubPKCS10Request: string) =>
    requested({ pkixPublicKey: undefined, proofOfPossession: undefined, stubPKCS10Request });
  expect(withRequest('AAAA')).toEqual(['spec.stubPKCS10Request: Invalid value: must be a valid PKCS#10 CSR']);
  expect(withRequest('A'.repeat(16_000))).toEqual(['spec.stubPKCS10Request: Too long: may not be more than 10240 bytes']);
  const both = 'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
  expect(requested({ stubPKCS10Request: 'AAAA' })).toEqual([both]);
  expect(requested({ proofOfPossession: undefined })).toEqual([both]);
});

it('checks the names, uids and lifetime of a pod certificate request', () => {
  const errors = requested({ podUID: '', serviceAccountUID: 'u'.repeat(129), signerName: 'kubernetes.io/x', maxExpirationSeconds: 86401 });
  expect(errors.slice(0, 3)).toEqual([
    'spec.podUID: Invalid value: "": must not be empty',
    'spec.serviceAccountUID: Too long: may not be more than 128 bytes',
    'spec.maxExpirationSeconds: Invalid value: 86401: must be in the range [3600, 86400]',
  ]);
});
