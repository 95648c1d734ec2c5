import { createHash } from 'node:crypto';

/**
 * The file of a case's snapshot: readable, the same for the same names whatever other cases there are, different for different ones also
 * where file systems do not tell upper from lower case, and allowed on all of them. `suite` is undefined for a folder of manifests.
 */
export function snapshotFileName(suite: string | undefined, caseName: string): string {
  const prefix = suite === undefined ? '' : suitePrefix(suite);
  return `${prefix}${slugOf(caseName)}${snapshotEnding}`;
}

/** What the snapshots of a suite file begin with. */
export function suitePrefix(suite: string): string {
  return `${slugOf(suite)}.`;
}

export const snapshotEnding = '.yaml';
/** What the name of a pending snapshot has behind it. */
export const pendingEnding = '.new';

const mostLetters = 60;

/** The name in small letters, digits and dashes; with a part of its hash where that says less than the name did. */
function slugOf(name: string): string {
  const plain = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, mostLetters);
  if (plain === name && !isDevice(plain)) return plain;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return [plain.replace(/-$/, ''), hash].filter(part => part !== '').join('-');
}

/** Windows takes these for devices, with any ending. */
function isDevice(name: string): boolean {
  return /^(con|prn|aux|nul|com\d|lpt\d)$/.test(name);
}
