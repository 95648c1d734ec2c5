import path from 'node:path';
import type { ObsoleteSnapshot } from '../../../suites/results.js';
import { listObsoleteNames, type SnapshotScope, tidySnapshotFolder } from '../../../suites/snapshot-folder.js';
import { isOwnSnapshot, removeSnapshot } from '../../../suites/snapshots/own-files.js';
import type { Suite } from '../../../suites/suite.js';

/** A folder of snapshots and the snapshots that suites own. */
interface KnownFolder {
  readonly folder: string;
  readonly scope: SnapshotScope;
  /** The snapshots of all cases, run or not. */
  readonly owned: ReadonlySet<string>;
}

/** Returns the snapshot folders of suites: suites of one folder share one. */
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

/** Returns obsolete snapshots, and removes them when `remove` is set. Rejects with system errors. */
export async function findObsoleteSnapshots(
  suites: readonly Suite[],
  { cwd, remove }: { readonly cwd: string; readonly remove: boolean },
): Promise<ObsoleteSnapshot[]> {
  const found: ObsoleteSnapshot[] = [];
  for (const { folder, scope, owned } of snapshotFolders(suites)) {
    for (const name of await listObsoleteNames(path.resolve(cwd, folder), owned, scope)) {
      const file = path.join(folder, name);
      // What this program did not write stays, and is none of its snapshots.
      const own = path.resolve(cwd, file);
      if (!isOwnSnapshot(own)) continue;
      if (remove) await removeSnapshot(own);
      found.push({ file, removed: remove });
    }
  }
  return found;
}

/** Removes partial files of killed runs from the suites' snapshot folders. */
export async function tidySnapshots(suites: readonly Suite[], cwd: string): Promise<void> {
  for (const { folder } of snapshotFolders(suites)) await tidySnapshotFolder(path.resolve(cwd, folder));
}
