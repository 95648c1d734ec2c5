import { semanticallyEqualAs } from '../../../apiserver/objects/semantic-equality.js';
import { indentedInternalList } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  indexed,
  isSet,
  itemsAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
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
      const conditions = at(request, 'status', 'conditions');
      for (const type of ['Approved', 'Denied', 'Failed'])
        if (ofType(request, type).length < ofType(old, type).length)
          addForbidden(conditions, `updates may not remove a condition of type "${type}"`);
      if (!mayDecide) for (const type of ['Approved', 'Denied']) keepDecision(request, old, type);
      checkIssued(at(request, 'status', 'certificate'), at(old, 'status', 'certificate'), mayIssue);
    },
    'changes',
  ];
}

function ofType(request: Place, type: string): Place[] {
  return itemsAt(request, 'status', 'conditions').filter(condition => textAt(condition, 'type') === type);
}

function keepDecision(request: Place, old: Place, type: string): void {
  const conditions = at(request, 'status', 'conditions');
  const [now, before] = [ofType(request, type), ofType(old, type)];
  if (now.length < before.length) return;
  if (now.length > before.length) {
    addForbidden(conditions, `updates may not add a condition of type "${type}"`);
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
  addForbidden(conditions, `updates may not modify a condition of type "${type}"\n${diff}`);
}

const conditionType = 'certificates/v1.CertificateSigningRequestCondition';

function checkIssued(certificate: Place, before: Place, mayIssue: boolean): void {
  if (textOf(certificate) === textOf(before)) return;
  if (!mayIssue) addForbidden(certificate, 'updates may not set certificate content');
  else if (textOf(before) !== '') addForbidden(certificate, 'updates may not modify existing certificate content');
}

/** Validates the request; existing errors are tolerated in an update. Source: getValidationOptions. */
function checkRequest(object: Place, old: Place | undefined): void {
  const spec = at(object, 'spec');
  const request = at(spec, 'request');
  const problem = certificateRequestError(Buffer.from(textOf(request), 'base64').toString('latin1'));
  if (problem !== undefined) addInvalid(request, problem, isSet(request) ? textOf(request) : null);
  checkUsages(at(spec, 'usages'), old);
  const signer = at(spec, 'signerName');
  const legacy = 'kubernetes.io/legacy-unknown';
  if (textOf(signer) === legacy && (old === undefined || textAt(old, 'spec', 'signerName') !== legacy))
    addInvalid(signer, 'the legacy signerName is not allowed via this API version');
  else checkSignerName(signer);
  const seconds = at(spec, 'expirationSeconds');
  if (isSet(seconds) && numberOf(seconds) < 600n) addInvalid(seconds, 'may not specify a duration less than 600 seconds (10 minutes)');
  checkConditions(at(object, 'status', 'conditions'), old);
  checkCertificate(at(object, 'status', 'certificate'), old === undefined ? undefined : at(old, 'status', 'certificate'));
}

/** Validates the certificate, unless it is unchanged or the stored one was already invalid. Source: allowArbitraryCertificate. */
function checkCertificate(certificate: Place, before: Place | undefined): void {
  if (before !== undefined && (textOf(before) === textOf(certificate) || issuedProblem(textOf(before)) !== undefined)) return;
  const problem = issuedProblem(textOf(certificate));
  if (problem !== undefined) addInvalid(certificate, problem, '<certificate data>');
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

function checkUsages(usages: Place, old: Place | undefined): void {
  const items = indexed(usages);
  const stored = old === undefined ? [] : itemsAt(old, 'spec', 'usages').map(textOf);
  if (items.length === 0) addRequired(usages);
  if (stored.every(usage => knownUsages.includes(usage)))
    for (const usage of items) if (!knownUsages.includes(textOf(usage))) addUnsupported(usage, knownUsages);
  if (hasDuplicates(stored)) return;
  const seen = new Set<string>();
  for (const usage of items) {
    if (seen.has(textOf(usage))) addDuplicate(usage);
    seen.add(textOf(usage));
  }
}

function checkConditions(conditions: Place, old: Place | undefined): void {
  const stored = old === undefined ? [] : itemsAt(old, 'status', 'conditions').map(condition => textAt(condition, 'type'));
  const wasBoth = stored.includes('Approved') && stored.includes('Denied');
  const seen = new Set<string>();
  for (const condition of indexed(conditions)) {
    const [type, status] = [at(condition, 'type'), at(condition, 'status')];
    const name = textOf(type);
    if (name === '' && !stored.includes('')) addRequired(type);
    const allowed = ['Approved', 'Denied', 'Failed'].includes(name) ? ['True'] : ['False', 'True', 'Unknown'];
    if (textOf(status) === '') addRequired(status);
    else if (!allowed.includes(textOf(status))) addUnsupported(status, allowed);
    const other = name === 'Approved' ? 'Denied' : name === 'Denied' ? 'Approved' : undefined;
    if (other !== undefined && seen.has(other) && !wasBoth)
      addInvalid(conditions, 'Approved and Denied conditions are mutually exclusive', name);
    if (seen.has(name) && !hasDuplicates(stored)) addDuplicate(type);
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
