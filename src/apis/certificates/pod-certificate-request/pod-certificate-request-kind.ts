import { equalIn } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement, StrategyContext } from '../../../apiserver/registry/strategy.js';
import { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkMetaConditions } from '../../../apiserver/registry/validation/meta-conditions.js';
import { quote } from '../../../go/quote.js';
import { invalidValue } from '../../../kubernetes/field-error.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { type Certificate, parseCertificate } from '../../../x509/certificate.js';
import { parseCertificateRequest } from '../../../x509/certificate-request.js';
import { type PemBlock, readPem } from '../../../x509/pem.js';
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

/** Status updates need the time and the user. Source: kubernetes pkg/registry/certificates/podcertificaterequest/strategy.go. */
const podCertificateRequest: Refinement = base => ({
  ...base,
  validateUpdate: (object, old, context) => {
    const errors = base.validateUpdate(object, old, context);
    if (context.subresource !== 'status') return errors;
    const request = FieldPath.root(context.server, object);
    const isSame = equalIn(context.server, context.resource, 'status', object, old);
    checkStatus(request, { decision: decisionOf(FieldPath.root(context.server, old)), isSame, now: context.effects.now() });
    if (!isSame && errors.length + request.errors.length === 0) checkSigner(request.child('spec', 'signerName'), context);
    return [...errors, ...request.errors];
  },
});

/** Who decides a request needs the permission for its signer, or for all of its domain. Source: kubernetes pkg/certauthorization. */
function checkSigner(field: FieldPath, { user, authorizer }: StrategyContext): void {
  const signer = field.text();
  const signers = { verb: 'sign', group: 'certificates.k8s.io', resource: 'signers' };
  const anywhere = { subresource: '', namespace: '', fieldSelector: '', labelSelector: '' };
  const isAllowed = [signer, `${signer.split('/', 1)[0]}/*`].some(
    name => authorizer().authorize({ user, ...signers, ...anywhere, name }).allowed,
  );
  if (!isAllowed) field.forbidden(`User ${quote(user.username)} is not permitted to "sign" for signer ${quote(signer)}`);
}

interface Before {
  /** The condition that decided the request before. */
  readonly decision: string | undefined;
  /** Whether the status is as before. */
  readonly isSame: boolean;
  readonly now: Date;
}

/** Conditions that decide a request, of which it has one. */
const decisions = ['Issued', 'Denied', 'Failed'];

function decisionOf(request: FieldPath): string | undefined {
  return request
    .items('status', 'conditions')
    .map(condition => condition.text('type'))
    .find(type => decisions.includes(type));
}

/** Source: certificates/validation ValidatePodCertificateRequestStatusUpdate. */
function checkStatus(request: FieldPath, before: Before): void {
  const status = request.child('status');
  checkDecisions(status.child('conditions'));
  if (request.errors.length > 0) return;
  const decision = decisionOf(request);
  if (before.decision !== undefined) {
    if (!before.isSame) status.invalidWithoutValue('immutable after PodCertificateRequest is issued, denied, or failed');
  } else if (decision === 'Issued') checkIssued(request, before.now);
  else if (decision === undefined) {
    if (!before.isSame) status.invalidWithoutValue('status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
  } else if (['certificateChain', 'notBefore', 'beginRefreshAt', 'notAfter'].some(name => status.text(name) !== ''))
    status.invalidWithoutValue('non-condition status fields must be empty when denying or failing the PodCertificateRequest');
}

function checkDecisions(conditions: FieldPath): void {
  const at = (index: number): string => (conditions.server.since('v1.38') ? `[${index}]` : `.[${index}]`);
  let known = 0;
  for (const [index, condition] of conditions.items().entries()) {
    const shown = condition.shownAt(`${conditions.path}${at(index)}`);
    const [type, status] = [shown.child('type'), shown.child('status')];
    if (!decisions.includes(type.text())) {
      type.notSupportedText(decisions);
      continue;
    }
    known += 1;
    if (known > 1) type.invalid('There may be at most one condition with type "Issued", "Denied", or "Failed"');
    if (status.text() !== 'True') status.notSupportedText(['True']);
  }
  checkMetaConditions(conditions);
}

/** Adds the first problem of an issued certificate. */
function checkIssued(request: FieldPath, now: Date): void {
  const status = request.child('status');
  const chain = status.child('certificateChain');
  const [first, ...others] = readPem(chain.text()).blocks;
  const leaf = first?.type === 'CERTIFICATE' ? parseCertificate(first.bytes) : undefined;
  if (first === undefined) chain.invalid('issued certificate chain must contain at least one certificate');
  else if (leaf === undefined) chain.invalid('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  else if (typeof leaf === 'string') chain.invalid('leaf certificate does not parse as valid X.509');
  else if (!isRequestedKey(leaf, request.child('spec'))) chain.invalid('leaf certificate was not issued to the requested public key');
  else if (checkValidity(leaf, request, now) && checkRefresh(status)) checkIntermediates(chain, others);
}

function isRequestedKey({ rawPublicKeyInfo }: Certificate, spec: FieldPath): boolean {
  const [key, stub] = ['pkixPublicKey', 'stubPKCS10Request'].map(name => Buffer.from(spec.text(name), 'base64'));
  if (key !== undefined && key.length > 0) return key.equals(rawPublicKeyInfo);
  const request = parseCertificateRequest(stub ?? Buffer.alloc(0));
  return typeof request !== 'string' && Buffer.from(request.rawPublicKeyInfo).equals(rawPublicKeyInfo);
}

const minuteMs = 60_000;

/** Checks the times of a certificate, and returns whether they are right. */
function checkValidity({ notBefore, notAfter }: Certificate, request: FieldPath, now: Date): boolean {
  const [start, end] = [request.child('status', 'notBefore'), request.child('status', 'notAfter')];
  const lifetimeMs = notAfter.milliseconds - notBefore.milliseconds;
  const longest = request.number('spec', 'maxExpirationSeconds');
  const lifetime = request.child('status', 'certificateChain').withValue(BigInt(lifetimeMs) * 1_000_000n);
  const count = request.errors.length;
  if (!start.isSet()) start.required('must be present and consistent with the issued certificate');
  else if (timeOf(start) !== notBefore.milliseconds) start.invalid('must be set to the NotBefore time encoded in the leaf certificate');
  else if (Math.abs(timeOf(start) - now.getTime()) > 5 * minuteMs)
    start.invalid("must be set to within 5 minutes of kube-apiserver's current time");
  else if (!end.isSet()) end.required('must be present and consistent with the issued certificate');
  else if (timeOf(end) !== notAfter.milliseconds) end.invalid('must be set to the NotAfter time encoded in the leaf certificate');
  else if (lifetimeMs < 60 * minuteMs) lifetime.invalid('leaf certificate lifetime must be >= 1 hour');
  else if (BigInt(lifetimeMs) > longest * 1000n)
    lifetime.invalid(`leaf certificate lifetime must be <= spec.maxExpirationSeconds (${longest})`);
  return request.errors.length === count;
}

function timeOf(time: FieldPath): number {
  return Date.parse(time.text());
}

/** Checks the time of the first renewal, and returns whether it is right. */
function checkRefresh(status: FieldPath): boolean {
  const refresh = status.child('beginRefreshAt');
  const count = status.errors.length;
  if (!refresh.isSet()) refresh.required('must be present and in the range [notbefore+10min, notafter-10min]');
  else if (timeOf(refresh) < timeOf(status.child('notBefore')) + 10 * minuteMs)
    refresh.invalid('must be at least 10 minutes after status.notBefore');
  else if (timeOf(refresh) > timeOf(status.child('notAfter')) - 10 * minuteMs)
    refresh.invalid('must be at least 10 minutes before status.notAfter');
  return status.errors.length === count;
}

function checkIntermediates(chain: FieldPath, blocks: readonly PemBlock[]): void {
  for (const { type, bytes } of blocks) {
    const isCertificate = type === 'CERTIFICATE';
    if (isCertificate && typeof parseCertificate(bytes) !== 'string') continue;
    // As upstream spells it.
    const why = 'issued certificate chain must consist entirely of CERTFICATE PEM blocks';
    chain.invalid(isCertificate ? 'intermediate certificate does not parse as valid X.509' : why);
    return;
  }
}

/** PodCertificateRequest. */
export const podCertificateRequestKind: KindDefinition = {
  refine: podCertificateRequest,
  validation: podCertificateRequestRules,
  subresources: { status: { update: ['changes'] } },
  hasGeneration: server => server.since('v1.38'),
  keepsMetadataInStatus: true,
  allowsUnconditionalUpdate: false,
  fieldLabels: { fields: ['spec.signerName', 'spec.podName', 'spec.nodeName'] },
  resetFields: { '': [] },
};
