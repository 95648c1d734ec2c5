import { semanticallyEqualAs } from '../../../apiserver/objects/semantic-equality.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { indentedInternalList } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { unifiedDiff } from '../../../apiserver/registry/validation/unified-diff.js';
import { quote } from '../../../go/quote.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import { parseCertificate } from '../../../x509/certificate.js';
import { certificateRequestError } from '../../../x509/certificate-request.js';
import { readPem } from '../../../x509/pem.js';
import { checkSignerName } from '../../core/pod/validation/volume-projections.js';

/** Source: certificates/validation ValidateCertificateSigningRequestCreate. */
export const certificateRequestRules: KindRules = {
  create: request => checkRequest(request, undefined),
  update: updateSteps({ mayDecide: false, mayIssue: false }),
};

/** Source: ValidateCertificateSigningRequestStatusUpdate. */
export const certificateStatus = updateSteps({ mayDecide: false, mayIssue: true });

/** Source: ValidateCertificateSigningRequestApprovalUpdate. */
export const certificateApproval = updateSteps({ mayDecide: true, mayIssue: false });

/** Fields that an endpoint may change: the approval, and the certificate. */
interface Permitted {
  readonly mayDecide: boolean;
  readonly mayIssue: boolean;
}

/** Source: validateCertificateSigningRequestUpdate. */
function updateSteps({ mayDecide, mayIssue }: Permitted): UpdateStep[] {
  return [
    'metadata',
    checkRequest,
    (request, old) => {
      const conditions = request.child('status', 'conditions');
      for (const type of ['Approved', 'Denied', 'Failed'])
        if (ofType(request, type).length < ofType(old, type).length)
          conditions.forbidden(`updates may not remove a condition of type "${type}"`);
      if (!mayDecide) for (const type of ['Approved', 'Denied']) keepDecision(request, old, type);
      checkIssued(request.child('status', 'certificate'), old.child('status', 'certificate'), mayIssue);
    },
    'changes',
  ];
}

function ofType(request: FieldPath, type: string): FieldPath[] {
  return request.items('status', 'conditions').filter(condition => condition.text('type') === type);
}

function keepDecision(request: FieldPath, old: FieldPath, type: string): void {
  const conditions = request.child('status', 'conditions');
  const [now, before] = [ofType(request, type), ofType(old, type)];
  if (now.length < before.length) return;
  if (now.length > before.length) {
    conditions.forbidden(`updates may not add a condition of type "${type}"`);
    return;
  }
  const values = [before, now].map(list => list.map(condition => condition.value ?? null));
  const [stored = [], sent = []] = values;
  const isSame = sent.every((condition, index) =>
    semanticallyEqualAs(structNamed(request.server, conditionType), condition, stored[index]),
  );
  if (isSame) return;
  const diff = unifiedDiff(
    indentedInternalList(request.server, conditionType, stored),
    indentedInternalList(request.server, conditionType, sent),
  );
  conditions.forbidden(`updates may not modify a condition of type "${type}"\n${diff}`);
}

const conditionType = 'certificates/v1.CertificateSigningRequestCondition';

function checkIssued(certificate: FieldPath, before: FieldPath, mayIssue: boolean): void {
  if (certificate.text() === before.text()) return;
  if (!mayIssue) certificate.forbidden('updates may not set certificate content');
  else if (before.text() !== '') certificate.forbidden('updates may not modify existing certificate content');
}

/** Validates the request; existing errors are tolerated in an update. Source: getValidationOptions. */
function checkRequest(object: FieldPath, old: FieldPath | undefined): void {
  const spec = object.child('spec');
  const request = spec.child('request');
  const problem = certificateRequestError(Buffer.from(request.text(), 'base64').toString('latin1'));
  if (problem !== undefined) request.invalid(request.isSet() ? request.text() : null, problem);
  checkUsages(spec.child('usages'), old);
  const signer = spec.child('signerName');
  const legacy = 'kubernetes.io/legacy-unknown';
  if (signer.text() === legacy && (old === undefined || old.text('spec', 'signerName') !== legacy))
    signer.invalid('the legacy signerName is not allowed via this API version');
  else checkSignerName(signer);
  const seconds = spec.child('expirationSeconds');
  if (seconds.isSet() && seconds.number() < 600n) seconds.invalid('may not specify a duration less than 600 seconds (10 minutes)');
  checkConditions(object.child('status', 'conditions'), old);
  checkCertificate(object.child('status', 'certificate'), old?.child('status', 'certificate'));
}

/** Validates the certificate, unless it is unchanged or the stored one was already invalid. Source: allowArbitraryCertificate. */
function checkCertificate(certificate: FieldPath, before: FieldPath | undefined): void {
  if (before !== undefined && (before.text() === certificate.text() || issuedProblem(before.text()) !== undefined)) return;
  const problem = issuedProblem(certificate.text());
  if (problem !== undefined) certificate.invalid('<certificate data>', problem);
}

const knownUsages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

function checkUsages(usages: FieldPath, old: FieldPath | undefined): void {
  const items = usages.items();
  const stored = old === undefined ? [] : old.items('spec', 'usages').map(field => field.text());
  if (items.length === 0) usages.required();
  if (stored.every(usage => knownUsages.includes(usage)))
    for (const usage of items) if (!knownUsages.includes(usage.text())) usage.notSupported(knownUsages);
  if (hasDuplicates(stored)) return;
  const seen = new Set<string>();
  for (const usage of items) {
    if (seen.has(usage.text())) usage.duplicate();
    seen.add(usage.text());
  }
}

function checkConditions(conditions: FieldPath, old: FieldPath | undefined): void {
  const stored = old === undefined ? [] : old.items('status', 'conditions').map(condition => condition.text('type'));
  const wasBoth = stored.includes('Approved') && stored.includes('Denied');
  const seen = new Set<string>();
  for (const condition of conditions.items()) {
    const [type, status] = [condition.child('type'), condition.child('status')];
    const name = type.text();
    if (name === '' && !stored.includes('')) type.required();
    const allowed = ['Approved', 'Denied', 'Failed'].includes(name) ? ['True'] : ['False', 'True', 'Unknown'];
    if (status.text() === '') status.required();
    else if (!allowed.includes(status.text())) status.notSupported(allowed);
    const other = name === 'Approved' ? 'Denied' : name === 'Denied' ? 'Approved' : undefined;
    if (other !== undefined && seen.has(other) && !wasBoth)
      conditions.invalid(name, 'Approved and Denied conditions are mutually exclusive');
    if (seen.has(name) && !hasDuplicates(stored)) type.duplicate();
    seen.add(name);
  }
}

function hasDuplicates(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length;
}

/**
 * Returns the error of issued certificates, PEM text in base64; undefined when there are none. Source: certificates/validation
 * validateCertificate.
 */
function issuedProblem(base64: string): string | undefined {
  if (base64 === '') return undefined;
  const { blocks } = readPem(Buffer.from(base64, 'base64').toString('latin1'));
  for (const { type, bytes, hasHeaders } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${quote(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    const certificate = parseCertificate(bytes);
    if (typeof certificate === 'string') return certificate;
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}
