import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addInvalid,
  addProblems,
  at,
  hasSet,
  isSet,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { invalidValue, tooLong } from '../../../kubernetes/field-error.js';
import { since } from '../../../kubernetes/kubernetes-version.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { bitLength } from '../../../x509/public-key.js';
import { isSignedBy, parsePublicKey } from '../../../x509/public-key-info.js';
import { checkSignerName } from '../../core/pod/validation/volume-projections.js';

const maxKeySize = 10_240;
const maxUidSize = 128;

/** Validation of pod certificate requests. Source: certificates/validation ValidatePodCertificateRequestCreate. */
export const podCertificateRequestRules: KindRules = {
  create: checkRequest,
  update: [
    'metadata',
    'changes',
    (request, old) => checkImmutable(request, old, { type: 'certificates/v1beta1.PodCertificateRequest', name: 'spec' }),
  ],
};

function checkRequest(request: Place): void {
  const spec = at(request, 'spec');
  checkSignerName(at(spec, 'signerName'));
  for (const who of ['pod', 'serviceAccount', 'node']) {
    const name = at(spec, `${who}Name`);
    addProblems(name, dns1123SubdomainProblems(textOf(name)));
    checkUid(at(spec, `${who}UID`));
  }
  checkLifetime(at(spec, 'maxExpirationSeconds'), textAt(spec, 'signerName'));
  const usesKey = textAt(spec, 'pkixPublicKey') !== '' || textAt(spec, 'proofOfPossession') !== '';
  if (since('v1.36') && usesKey === hasSet(spec, 'stubPKCS10Request')) {
    spec.errors.push(
      invalidValue(spec.path, undefined, 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set'),
    );
    return;
  }
  if (usesKey || !since('v1.36')) checkKey(spec);
}

function checkUid(uid: Place): void {
  const size = Buffer.byteLength(textOf(uid));
  if (size === 0) addInvalid(uid, 'must not be empty', '');
  else if (size > maxUidSize) uid.errors.push(tooLong(uid.path, maxUidSize));
}

function checkLifetime(seconds: Place, signer: string): void {
  const longest = signer.startsWith('kubernetes.io/') ? 86_400n : 7_862_400n;
  if (isSet(seconds) && (numberOf(seconds) < 3600n || numberOf(seconds) > longest))
    addInvalid(seconds, `must be in the range [3600, ${longest}]`);
}

function checkKey(spec: Place): void {
  const [key, proof] = [at(spec, 'pkixPublicKey'), at(spec, 'proofOfPossession')];
  const [der, signature] = [key, proof].map(place => Buffer.from(textOf(place), 'base64')) as [Buffer, Buffer];
  for (const [place, bytes] of [
    [key, der],
    [proof, signature],
  ] as const) {
    if (bytes.length <= maxKeySize) continue;
    place.errors.push(tooLong(place.path, maxKeySize));
    return;
  }
  const problem = keyProblem(der, textOf(key));
  if (problem !== undefined) addInvalid(key, problem.why, problem.shown);
  else if (!isSignedBy(der, textAt(spec, 'podUID'), signature))
    proof.errors.push(invalidValue(proof.path, undefined, 'could not verify proof-of-possession signature'));
}

/** Returns why a key is refused, and the value in the message. */
function keyProblem(der: Uint8Array, text: string): { readonly why: string; readonly shown: string } | undefined {
  const key = parsePublicKey(der);
  if (key === undefined) return { why: 'must be a valid PKIX-serialized public key', shown: text };
  if (key.type === 'DSA' || key.type === 'ECDH')
    return { why: 'unknown public key type; supported types are Ed25519, ECDSA, and RSA', shown: text };
  if (key.type === 'ECDSA' && key.curve !== 'P256' && key.curve !== 'P384')
    return { why: 'elliptic public keys must use curve P256 or P384', shown: `curve ${key.curve.replace('P', 'P-')}` };
  if (key.type === 'RSA' && ![3072, 4096].includes(bitLength(key.modulus)))
    return { why: 'RSA keys must have modulus size 3072 or 4096', shown: `${bitLength(key.modulus)}-bit modulus` };
  return undefined;
}
