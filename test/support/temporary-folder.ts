import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder with these files; `remove` deletes it. */
export function temporaryFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'webhook-cli-'));
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), contents);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
