import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { invalidValue } from '../../../kubernetes/field-error.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { parseCertificateRequest } from '../../../x509/certificate-request.js';
import type { PublicKey } from '../../../x509/public-key.js';
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

function checkRequest(request: FieldPath): void {
  const spec = request.child('spec');
  checkSignerName(spec.child('signerName'));
  for (const who of ['pod', 'serviceAccount', 'node']) {
    const name = spec.child(`${who}Name`);
    name.invalidEach(dns1123SubdomainProblems(name.text()));
    checkUid(spec.child(`${who}UID`));
  }
  checkLifetime(spec.child('maxExpirationSeconds'), spec.text('signerName'));
  checkKeyOrRequest(spec);
}

function checkKeyOrRequest(spec: FieldPath): void {
  const [key, proof, stub] = ['pkixPublicKey', 'proofOfPossession', 'stubPKCS10Request'].map(name => spec.text(name) !== '');
  if (spec.server.until('v1.35') || (key && proof && !stub)) checkKey(spec);
  else if (stub && !key && !proof) checkStubRequest(spec.child('stubPKCS10Request'));
  else
    spec.errors.push(
      invalidValue(spec.path, undefined, 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set'),
    );
}

/** Source: certificates/validation validateStubPKCS10Request. */
function checkStubRequest(stub: FieldPath): void {
  const der = Buffer.from(stub.text(), 'base64');
  const refuse = (why: string, shown?: string): void => void stub.errors.push(invalidValue(stub.path, shown, why));
  if (der.length > maxKeySize) {
    stub.tooLong(maxKeySize);
    return;
  }
  const request = parseCertificateRequest(der);
  if (typeof request === 'string') {
    refuse('must be a valid PKCS#10 CSR');
    return;
  }
  const supported = stub.server.since('v1.38') ? 'Ed25519, ECDSA, RSA, and ML-DSA' : undefined;
  const problem = strengthProblem(request.publicKey, 'elliptic public keys must use curve P256, P384, or P521', supported);
  if (problem !== undefined) refuse(problem.why, problem.shown);
  else if (request.signatureError !== undefined) refuse('invalid signature');
}

function checkUid(uid: FieldPath): void {
  const size = Buffer.byteLength(uid.text());
  if (size === 0) uid.invalid('', 'must not be empty');
  else if (size > maxUidSize) uid.tooLong(maxUidSize);
}

function checkLifetime(seconds: FieldPath, signer: string): void {
  const longest = signer.startsWith('kubernetes.io/') ? 86_400n : 7_862_400n;
  if (seconds.isSet() && (seconds.number() < 3600n || seconds.number() > longest))
    seconds.invalid(`must be in the range [3600, ${longest}]`);
}

function checkKey(spec: FieldPath): void {
  const [key, proof] = [spec.child('pkixPublicKey'), spec.child('proofOfPossession')];
  const [der, signature] = [key, proof].map(field => Buffer.from(field.text(), 'base64')) as [Buffer, Buffer];
  for (const [field, bytes] of [
    [key, der],
    [proof, signature],
  ] as const) {
    if (bytes.length <= maxKeySize) continue;
    field.tooLong(maxKeySize);
    return;
  }
  const problem = keyProblem(der, key.text());
  if (problem !== undefined) key.invalid(problem.shown ?? key.text(), problem.why);
  else if (!isSignedBy(der, spec.text('podUID'), signature)) proof.invalidWithoutValue('could not verify proof-of-possession signature');
}

interface KeyProblem {
  readonly why: string;
  /** Undefined: the error shows no value. */
  readonly shown: string | undefined;
}

/** Returns why a key is refused, and the value in the message. */
function keyProblem(der: Uint8Array, text: string): KeyProblem | undefined {
  const key = parsePublicKey(der);
  if (key === undefined) return { why: 'must be a valid PKIX-serialized public key', shown: text };
  const problem = strengthProblem(key.type === 'ECDH' ? undefined : key, 'elliptic public keys must use curve P256 or P384');
  return problem === undefined ? undefined : { why: problem.why, shown: problem.shown ?? text };
}

const curves = ['P256', 'P384', 'P521'];

function strengthProblem(key: PublicKey | undefined, wrongCurve: string, supported = 'Ed25519, ECDSA, and RSA'): KeyProblem | undefined {
  if (key === undefined || key.type === 'DSA')
    return { why: `unknown public key type; supported types are ${supported}`, shown: undefined };
  if (key.type === 'ECDSA' && !curves.includes(key.curve)) return { why: wrongCurve, shown: `curve ${key.curve.replace('P', 'P-')}` };
  if (key.type === 'RSA' && ![3072, 4096].includes(bitLength(key.modulus)))
    return { why: 'RSA keys must have modulus size 3072 or 4096', shown: `${bitLength(key.modulus)}-bit modulus` };
  return undefined;
}

/** PodCertificateRequest. */
export const podCertificateRequestKind: KindDefinition = {
  validation: podCertificateRequestRules,
  hasGeneration: server => server.since('v1.38'),
  keepsMetadataInStatus: true,
  allowsUnconditionalUpdate: false,
  fieldLabels: { fields: ['spec.signerName', 'spec.podName', 'spec.nodeName'] },
  resetFields: { '': [] },
};
