import { createHash } from 'node:crypto';

/**
 * File name of a case's snapshot: readable, stable, independent of other cases, unique even on case-insensitive file systems, and valid on
 * all systems. `suite` is undefined for a folder of manifests.
 */
export function snapshotFileName(suite: string | undefined, caseName: string): string {
  const prefix = suite === undefined ? '' : suitePrefix(suite);
  return `${prefix}${slugOf(caseName)}${snapshotEnding}`;
}

/** Prefix of the snapshots of a suite file. */
export function suitePrefix(suite: string): string {
  return `${slugOf(suite)}.`;
}

export const snapshotEnding = '.yaml';
/** Suffix of pending snapshots. */
export const pendingEnding = '.new';

const maxPrefixLength = 60;

/** The name in lower-case letters, digits and dashes; with a part of its hash if that loses information. */
function slugOf(name: string): string {
  const plain = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, maxPrefixLength);
  if (plain === name && !isDevice(plain)) return plain;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return [plain.replace(/-$/, ''), hash].filter(part => part !== '').join('-');
}

/** Device names on Windows, with any extension. */
function isDevice(name: string): boolean {
  return /^(con|prn|aux|nul|com\d|lpt\d)$/.test(name);
}
