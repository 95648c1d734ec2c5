import { CertificateError } from './certificate-error.js';
import { type FileName, type FolderFiles, type FolderState, fileNames, readFolder } from './certificate-folder.js';
import { type Current, currentOf, faultOfAuthority, reasonToRenew } from './current-certificates.js';
import { type Issued, issueAuthority, issueServing } from './issue.js';
import { describeKey, type KeyType, keyTypes } from './key-types.js';
import { publishFolder, tidyPublished } from './publish-folder.js';
import { joinNames, localNames, type ServingNames, servingNamesOf } from './serving-names.js';

export interface CreateOptions {
  /** Absolute. */
  readonly folder: string;
  /** Undefined for the names of the existing certificate. The local names are added. */
  readonly names: ServingNames | undefined;
  /** Undefined for the existing type, or ECDSA P-256. */
  readonly keyType: KeyType | undefined;
  readonly days: number;
  /** A certificate that expires sooner is renewed. */
  readonly renewBeforeMs: number;
  readonly rotateAuthority: boolean;
  /** Replace foreign files after making a copy. */
  readonly force: boolean;
  readonly now: Date;
}

/** Actions, and the current certificates. */
export interface Created {
  readonly authority: 'created' | 'kept' | 'rotated';
  readonly serving: 'created' | 'kept' | 'renewed';
  /** Reason why the serving certificate was renewed. */
  readonly reason: string | undefined;
  readonly current: Current;
  readonly files: FolderFiles;
  readonly atOnce: boolean;
  readonly backups: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Creates an authority and a serving certificate in a folder. Certificates that are valid for the same names stay; otherwise the serving
 * certificate is renewed under the same authority. The authority is replaced on request only, and then the bundle contains both. Throws
 * CertificateError for files that must not or cannot be used, and system errors.
 */
export async function createCertificates(options: CreateOptions): Promise<Created> {
  const state = await readFolder(options.folder);
  if (state.state === 'foreign' && !options.force) throw foreignFiles(state.foreign);
  const current = state.state === 'empty' ? undefined : currentOf(state.files);
  const authority = await keepOrIssueAuthority(current, state, options);
  const serving = await keepOrIssueServing(current, authority, options);
  const isKept = authority.action === 'kept' && serving.action === 'kept';
  const unchanged = isKept && state.state === 'ours' && state.complete && authority.bundle === state.files['ca.crt'];
  const files = filesOf(authority, serving.issued);
  const published = unchanged
    ? { atOnce: true, backups: [] }
    : await publishFolder(options.folder, publicationOf(files, authority, state, options));
  const guarded = unchanged ? await tidyPublished(options.folder) : [];
  return {
    authority: authority.action,
    serving: serving.action,
    reason: serving.reason,
    current: { authority: authority.issued, bundle: authority.bundle, serving: serving.issued },
    files,
    ...published,
    notes: [
      ...notesOf(authority, options),
      ...guarded.map(name => `${name} was readable by other users: permissions are now fixed, but it may have been copied`),
      ...(published.atOnce ? [] : ['this file system does not support links: the files were replaced one after the other']),
    ],
  };
}

interface Authority {
  readonly action: Created['authority'];
  readonly issued: Issued;
  /** PEM of all trusted authorities, the signing one first. */
  readonly bundle: string;
  readonly trustPreviousUntil: string | undefined;
}

async function keepOrIssueAuthority(current: Partial<Current> | undefined, state: FolderState, options: CreateOptions): Promise<Authority> {
  const { now, keyType, rotateAuthority } = options;
  const old = current?.authority;
  const fault = old === undefined ? undefined : faultOfAuthority(old, now);
  if (old !== undefined && fault === undefined && !rotateAuthority) {
    const until = state.state === 'ours' ? state.trustPreviousUntil : undefined;
    const isOver = until !== undefined && new Date(until) < now;
    return {
      action: 'kept',
      issued: old,
      bundle: isOver ? old.certificatePem : (current?.bundle ?? old.certificatePem),
      trustPreviousUntil: isOver ? undefined : until,
    };
  }
  if (state.state === 'ours' && !rotateAuthority) {
    throw new CertificateError('unusable', fault ?? 'cannot read the CA in this folder', ['pass --rotate-ca to create another one']);
  }
  const issued = await issueAuthority(keyType ?? ownKeyType(old) ?? 'ecdsa-p256', now);
  if (old === undefined || !rotateAuthority)
    return { action: 'created', issued, bundle: issued.certificatePem, trustPreviousUntil: undefined };
  const last = current?.serving?.certificate.notAfter.milliseconds ?? now.getTime();
  return {
    action: 'rotated',
    issued,
    bundle: issued.certificatePem + old.certificatePem,
    trustPreviousUntil: new Date(last).toISOString(),
  };
}

interface Serving {
  readonly action: Created['serving'];
  readonly issued: Issued;
  readonly reason: string | undefined;
}

async function keepOrIssueServing(current: Partial<Current> | undefined, authority: Authority, options: CreateOptions): Promise<Serving> {
  const { days, now, renewBeforeMs } = options;
  const old = current?.serving;
  const names = joinNames(options.names ?? (old === undefined ? localNames : servingNamesOf(old.certificate)), localNames);
  const keyType = options.keyType ?? ownKeyType(old) ?? ownKeyType(authority.issued) ?? 'ecdsa-p256';
  const reason =
    authority.action === 'rotated'
      ? 'the CA is new'
      : old === undefined
        ? undefined
        : reasonToRenew(old, { names, keyType, renewBeforeMs, now, authority: authority.issued });
  if (old !== undefined && reason === undefined) return { action: 'kept', issued: old, reason };
  const issued = await issueServing({ names, keyType, days, now }, authority.issued);
  return { action: old === undefined ? 'created' : 'renewed', issued, reason };
}

function filesOf({ issued, bundle }: Authority, serving: Issued): FolderFiles {
  return { 'ca.crt': bundle, 'ca.key': issued.keyPem, 'tls.crt': serving.certificatePem, 'tls.key': serving.keyPem };
}

function publicationOf(files: FolderFiles, { trustPreviousUntil }: Authority, state: FolderState, { now }: CreateOptions) {
  return {
    files,
    trustPreviousUntil,
    displaced: state.state === 'foreign' ? fileNames.filter(name => state.files[name] !== undefined) : [],
    now,
  };
}

function ownKeyType(issued: Issued | undefined): KeyType | undefined {
  const type = issued === undefined ? undefined : describeKey(issued.key);
  return keyTypes.find(known => known === type);
}

function notesOf({ action, issued, trustPreviousUntil }: Authority, { now, renewBeforeMs }: CreateOptions): string[] {
  const notes: string[] = [];
  if (action === 'rotated') {
    notes.push('ca.crt contains the new and the previous CA: put it into every caBundle first, then serve with the new tls.crt');
  }
  if (trustPreviousUntil !== undefined)
    notes.push(`the previous CA stays in ca.crt until its last certificate expires, ${trustPreviousUntil.slice(0, 10)}`);
  if (issued.certificate.notAfter.milliseconds - now.getTime() < renewBeforeMs) {
    notes.push(`the CA expires on ${issued.certificate.notAfter.text.slice(0, 10)}: pass --rotate-ca before that`);
  }
  return notes;
}

function foreignFiles(names: readonly FileName[]): CertificateError {
  return new CertificateError(
    'refused',
    `${names.join(', ')} ${names.length === 1 ? 'exists and was' : 'exist and were'} not written by webhook-cli`,
    ['pass another --out-dir', 'pass --force to replace the files after making a copy'],
  );
}
