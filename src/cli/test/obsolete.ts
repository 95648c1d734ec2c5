import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { ObsoleteSnapshot } from '../../suites/results.js';
import { obsoleteNames, type Scope, tidyFolder } from '../../suites/snapshots/folder.js';
import type { Suite } from '../../suites/suite.js';

/** A folder of snapshots and what is known of it. */
interface KnownFolder {
  readonly folder: string;
  readonly scope: Scope;
  /** The snapshots of all cases, run or not. */
  readonly owned: ReadonlySet<string>;
}

/** The folders of these suites' snapshots: suites of one folder share one. */
function snapshotFolders(suites: readonly Suite[]): KnownFolder[] {
  const folders = [...new Set(suites.map(({ snapshots }) => snapshots.folder))];
  return folders.map(folder => {
    const own = suites.filter(({ snapshots }) => snapshots.folder === folder);
    const scopes = own.map(({ snapshots }) => snapshots.scope);
    return {
      folder,
      scope: scopes.includes('all') ? 'all' : scopes.flatMap(scope => (scope === 'all' ? [] : scope)),
      owned: new Set(own.flatMap(({ cases }) => cases.flatMap(({ snapshot }) => snapshot ?? []))),
    };
  });
}

/** Snapshots that no case asks for; removed when `remove` is set. Fails with the system's error. */
export async function obsoleteSnapshots(
  suites: readonly Suite[],
  { cwd, remove }: { readonly cwd: string; readonly remove: boolean },
): Promise<ObsoleteSnapshot[]> {
  const found: ObsoleteSnapshot[] = [];
  for (const { folder, scope, owned } of snapshotFolders(suites)) {
    for (const name of await obsoleteNames(path.resolve(cwd, folder), owned, scope)) {
      const file = path.join(folder, name);
      if (remove) await rm(path.resolve(cwd, file), { force: true });
      found.push({ file, removed: remove });
    }
  }
  return found;
}

/** Removes what runs that were killed left half written beside these suites' snapshots. */
export async function tidySnapshots(suites: readonly Suite[], cwd: string): Promise<void> {
  for (const { folder } of snapshotFolders(suites)) await tidyFolder(path.resolve(cwd, folder));
}
