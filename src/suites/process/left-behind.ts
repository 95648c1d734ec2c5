import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hasEnded, ownIdentity } from './owner.js';
import { killAbandonedGroups } from './process-group.js';

const folderPrefix = 'webhook-cli-certs-';

/** Creates a temporary folder for the certificates of a process under test. The caller removes it. */
export function certificateFolder(): string {
  return mkdtempSync(path.join(tmpdir(), `${folderPrefix}${ownIdentity()}-`));
}

/** Removes remains of killed runs: the processes that they started, and their certificate folders. */
export function removeLeftBehind(): void {
  killAbandonedGroups();
  for (const name of readdirSync(tmpdir())) {
    const [, identity] = new RegExp(`^${folderPrefix}(.*)-[^-]+$`).exec(name) ?? [];
    if (identity !== undefined && hasEnded(identity)) rmSync(path.join(tmpdir(), name), { recursive: true, force: true });
  }
}
