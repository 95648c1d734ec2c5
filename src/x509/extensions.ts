import { ownMember } from '../go/own-members.js';
import { atEnd, constructedContextTag, contextTag, cursorOver, type DerCursor, enter, nextTagIs, readContents, tags } from './der.js';
import { bitIsSet, readBitString, readBoolean, readInt64, readInteger, readObjectIdentifier } from './der-values.js';
import { MalformedCertificate, requiredDer } from './malformed-certificate.js';
import { type NameConstraints, readNameConstraints } from './name-constraints.js';
import { noNames, readSubjectAlternativeNames, type SubjectAlternativeNames } from './subject-alternative-names.js';

/** Raw extension. */
export interface Extension {
  readonly id: string;
  readonly critical: boolean;
  readonly value: Uint8Array;
}

/** Values of the extensions that Go's rules need. Policies are the contents octets of their identifiers in hex. */
export interface ExtensionValues {
  /** Names of the bits that are set; undefined without the extension or without bits. */
  readonly keyUsage: readonly string[] | undefined;
  readonly basicConstraints: { readonly isCA: boolean; readonly maxPathLength: bigint | undefined } | undefined;
  readonly names: SubjectAlternativeNames;
  readonly hasNames: boolean;
  readonly nameConstraints: NameConstraints | undefined;
  /** Object identifiers; empty without the extension. */
  readonly extendedKeyUsage: readonly string[];
  readonly authorityKeyId: Uint8Array | undefined;
  readonly subjectKeyId: Uint8Array | undefined;
  readonly policies: readonly string[];
  readonly policyMappings: readonly { readonly issuer: string; readonly subject: string }[];
  readonly requireExplicitPolicy: bigint | undefined;
  readonly inhibitPolicyMapping: bigint | undefined;
  readonly inhibitAnyPolicy: bigint | undefined;
  readonly hasUnhandledCritical: boolean;
}

type Values = { -readonly [Key in keyof ExtensionValues]: ExtensionValues[Key] };

/** Object identifier of subjectAltName. */
export const subjectAltNameId = '2.5.29.17';

/** Parses the extensions in order; the first malformed one throws MalformedCertificate. Source: crypto/x509 processExtensions. */
export function readExtensionValues(extensions: readonly Extension[]): ExtensionValues {
  const values: Values = {
    ...{ keyUsage: undefined, basicConstraints: undefined, names: noNames, hasNames: false, nameConstraints: undefined },
    ...{ extendedKeyUsage: [], authorityKeyId: undefined, subjectKeyId: undefined, policies: [], policyMappings: [] },
    ...{ requireExplicitPolicy: undefined, inhibitPolicyMapping: undefined, inhibitAnyPolicy: undefined, hasUnhandledCritical: false },
  };
  for (const extension of extensions) {
    const handled = ownMember(readers, extension.id)?.(extension, values) ?? false;
    if (extension.critical && !handled) values.hasUnhandledCritical = true;
  }
  return values;
}

/** Parses one extension into the values; returns false for a critical one that is not supported. */
type Reader = (extension: Extension, values: Values) => boolean;

const readers: Readonly<Record<string, Reader>> = {
  '2.5.29.14': (extension, values) => {
    if (extension.critical) throw new MalformedCertificate('x509: subject key identifier incorrectly marked critical');
    const id = readContents(cursorOver(extension.value), tags.octetString);
    values.subjectKeyId = requiredDer(id, 'x509: invalid subject key identifier');
    return true;
  },
  '2.5.29.15': (extension, values) => {
    const bits = requiredDer(readBitString(cursorOver(extension.value)), 'x509: invalid key usage');
    const set = keyUsages.filter((_, i) => bitIsSet(bits, i));
    values.keyUsage = set.length === 0 ? undefined : set;
    return true;
  },
  [subjectAltNameId]: (extension, values) => {
    values.names = readSubjectAlternativeNames(extension.value);
    values.hasNames = true;
    return Object.values(values.names).some(list => list.length > 0);
  },
  '2.5.29.19': (extension, values) => {
    values.basicConstraints = readBasicConstraints(extension.value);
    return true;
  },
  '2.5.29.30': (extension, values) => {
    const { constraints, allHandled } = readNameConstraints(extension.value);
    values.nameConstraints = constraints;
    return allHandled;
  },
  '2.5.29.31': extension => checkDistributionPoints(extension.value),
  '2.5.29.32': (extension, values) => {
    values.policies = readPolicies(extension.value);
    return true;
  },
  '2.5.29.33': (extension, values) => {
    values.policyMappings = readPolicyMappings(extension.value);
    return true;
  },
  '2.5.29.35': (extension, values) => {
    values.authorityKeyId = readAuthorityKeyId(extension);
    return true;
  },
  '2.5.29.36': (extension, values) => {
    const message = 'x509: invalid policy constraints extension';
    const sequence = requiredDer(enter(cursorOver(extension.value), tags.sequence), message);
    const read = (tag: number) => (nextTagIs(sequence, tag) ? requiredDer(readInt64(sequence, tag), message) : undefined);
    values.requireExplicitPolicy = read(contextTag(0));
    values.inhibitPolicyMapping = read(contextTag(1));
    return true;
  },
  '2.5.29.37': (extension, values) => {
    values.extendedKeyUsage = readExtendedKeyUsage(extension.value);
    return true;
  },
  '2.5.29.54': (extension, values) => {
    values.inhibitAnyPolicy = requiredDer(readInt64(cursorOver(extension.value)), 'x509: invalid inhibit any policy extension');
    return true;
  },
  '1.3.6.1.5.5.7.1.1': extension => checkAuthorityInfoAccess(extension),
};

const keyUsages = [
  'digitalSignature',
  'contentCommitment',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
];

function readBasicConstraints(value: Uint8Array): { isCA: boolean; maxPathLength: bigint | undefined } {
  const message = 'x509: invalid basic constraints';
  const sequence = requiredDer(enter(cursorOver(value), tags.sequence), message);
  const isCA = nextTagIs(sequence, tags.boolean) ? requiredDer(readBoolean(sequence), message) : false;
  if (!nextTagIs(sequence, tags.integer)) return { isCA, maxPathLength: undefined };
  const maxPathLength = requiredDer(readInteger(sequence), message);
  if (maxPathLength < 0n || maxPathLength >= 2n ** 63n) throw new MalformedCertificate(message);
  return { isCA, maxPathLength };
}

function readAuthorityKeyId({ critical, value }: Extension): Uint8Array | undefined {
  if (critical) throw new MalformedCertificate('x509: authority key identifier incorrectly marked critical');
  const message = 'x509: invalid authority key identifier';
  const sequence = requiredDer(enter(cursorOver(value), tags.sequence), message);
  return nextTagIs(sequence, contextTag(0)) ? requiredDer(readContents(sequence, contextTag(0)), message) : undefined;
}

function readExtendedKeyUsage(value: Uint8Array): string[] {
  const message = 'x509: invalid extended key usages';
  const sequence = requiredDer(enter(cursorOver(value), tags.sequence), message);
  const usages: string[] = [];
  while (!atEnd(sequence)) usages.push(requiredDer(readObjectIdentifier(sequence), message));
  return usages;
}

/** Parses policies, each once, with its identifier minimally encoded; qualifiers are ignored. */
function readPolicies(value: Uint8Array): string[] {
  const message = 'x509: invalid certificate policies';
  const sequence = requiredDer(enter(cursorOver(value), tags.sequence), message);
  const policies: string[] = [];
  while (!atEnd(sequence)) {
    const policy = readPolicyId(requiredDer(enter(sequence, tags.sequence), message), message);
    const octets = Buffer.from(policy, 'hex');
    const superfluous = octets.some((octet, i) => octet === 0x80 && (octets[i - 1] ?? 0) < 0x80);
    if (policies.includes(policy) || (octets.at(-1) ?? 0x80) >= 0x80 || superfluous) throw new MalformedCertificate(message);
    policies.push(policy);
  }
  return policies;
}

function readPolicyMappings(value: Uint8Array): { issuer: string; subject: string }[] {
  const message = 'x509: invalid policy mappings extension';
  const sequence = requiredDer(enter(cursorOver(value), tags.sequence), message);
  const mappings: { issuer: string; subject: string }[] = [];
  while (!atEnd(sequence)) {
    const pair = requiredDer(enter(sequence, tags.sequence), message);
    mappings.push({ issuer: readPolicyId(pair, message), subject: readPolicyId(pair, message) });
  }
  return mappings;
}

function readPolicyId(cursor: DerCursor, message: string): string {
  return Buffer.from(requiredDer(readContents(cursor, tags.objectIdentifier), message)).toString('hex');
}

/** Checks the addresses of revocation lists: Go does not use them, but rejects malformed ones. */
function checkDistributionPoints(value: Uint8Array): true {
  const list = requiredDer(enter(cursorOver(value), tags.sequence), 'x509: invalid CRL distribution points');
  const message = 'x509: invalid CRL distribution point';
  while (!atEnd(list)) {
    const point = requiredDer(enter(list, tags.sequence), message);
    if (!nextTagIs(point, constructedContextTag(0))) continue;
    const outer = requiredDer(enter(point, constructedContextTag(0)), message);
    const names = requiredDer(enter(outer, constructedContextTag(0)), message);
    while (nextTagIs(names, contextTag(6))) requiredDer(readContents(names, contextTag(6)), message);
  }
  return true;
}

function checkAuthorityInfoAccess({ critical, value }: Extension): true {
  if (critical) throw new MalformedCertificate('x509: authority info access incorrectly marked critical');
  const message = 'x509: invalid authority info access';
  const list = requiredDer(enter(cursorOver(value), tags.sequence), message);
  while (!atEnd(list)) {
    const access = requiredDer(enter(list, tags.sequence), message);
    requiredDer(readObjectIdentifier(access), message);
    if (nextTagIs(access, contextTag(6))) requiredDer(readContents(access, contextTag(6)), message);
  }
  return true;
}
