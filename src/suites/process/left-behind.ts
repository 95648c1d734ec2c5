import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hasEnded, ownIdentity } from '../../processes/owner.js';
import { killAbandonedGroups } from '../../processes/process-group.js';

/** Contents of a temporary folder: certificates of a process under test, a kubeconfig, or the address of a page with its token. */
export type FolderContents = 'certs' | 'kubeconfig' | 'page';

const folderName = /^webhook-cli-(?:certs|kubeconfig|page)-(.*)-[^-]+$/;

/** Creates a temporary folder for files with keys and tokens, which only the user can read. The caller removes it. */
export function temporaryFolder(contents: FolderContents): string {
  return mkdtempSync(path.join(tmpdir(), `webhook-cli-${contents}-${ownIdentity()}-`));
}

/** Removes remains of killed runs: the processes that they started, and their folders of keys and tokens. */
export function removeLeftBehind(): void {
  killAbandonedGroups();
  for (const name of namesIn(tmpdir())) {
    const [, identity] = folderName.exec(name) ?? [];
    if (identity !== undefined && hasEnded(identity)) removeQuietly(path.join(tmpdir(), name));
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // What cannot be read has nothing of ours.
    return [];
  }
}

/** Another user can have created a folder with such a name. */
function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is that user's.
  }
}
