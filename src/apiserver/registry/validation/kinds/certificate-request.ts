import type { KindRules } from '../kind-rules.js';
import { addDuplicate, addInvalid, addRequired, addUnsupported, at, indexed, isSet, numberOf, type Place, textOf } from '../place.js';
import { checkSignerName } from '../pods/volume-projections.js';

/** What a request of a certificate is asked, but for the request in it being well formed and signed. Source: certificates/validation. */
export const certificateRequestRules: KindRules = {
  create: checkRequest,
  update: [checkRequest, 'changes'],
};

function checkRequest(object: Place): void {
  const spec = at(object, 'spec');
  const request = at(spec, 'request');
  if (!isCertificateRequest(textOf(request))) addInvalid(request, 'PEM block type must be CERTIFICATE REQUEST');
  checkUsages(at(spec, 'usages'));
  const signer = at(spec, 'signerName');
  if (textOf(signer) === 'kubernetes.io/legacy-unknown') addInvalid(signer, 'the legacy signerName is not allowed via this API version');
  else checkSignerName(signer);
  const seconds = at(spec, 'expirationSeconds');
  if (isSet(seconds) && numberOf(seconds) < 600n) addInvalid(seconds, 'may not specify a duration less than 600 seconds (10 minutes)');
  checkConditions(at(object, 'status', 'conditions'));
}

/** Is the first PEM block of base64 text a certificate request? Source: certificates.ParseCSR. */
function isCertificateRequest(base64: string): boolean {
  const text = Buffer.from(base64, 'base64').toString('latin1');
  return /(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t\r]*\n/.exec(text)?.[1] === 'CERTIFICATE REQUEST';
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

function checkUsages(usages: Place): void {
  const items = indexed(usages);
  if (items.length === 0) addRequired(usages);
  for (const usage of items) if (!knownUsages.includes(textOf(usage))) addUnsupported(usage, knownUsages);
  const seen = new Set<string>();
  for (const usage of items) {
    if (seen.has(textOf(usage))) addDuplicate(usage);
    seen.add(textOf(usage));
  }
}

function checkConditions(conditions: Place): void {
  const seen = new Set<string>();
  for (const condition of indexed(conditions)) {
    const [type, status] = [at(condition, 'type'), at(condition, 'status')];
    const name = textOf(type);
    if (name === '') addRequired(type);
    const allowed = ['Approved', 'Denied', 'Failed'].includes(name) ? ['True'] : ['False', 'True', 'Unknown'];
    if (textOf(status) === '') addRequired(status);
    else if (!allowed.includes(textOf(status))) addUnsupported(status, allowed);
    const other = name === 'Approved' ? 'Denied' : name === 'Denied' ? 'Approved' : undefined;
    if (other !== undefined && seen.has(other)) addInvalid(conditions, 'Approved and Denied conditions are mutually exclusive', name);
    if (seen.has(name)) addDuplicate(type);
    seen.add(name);
  }
}
