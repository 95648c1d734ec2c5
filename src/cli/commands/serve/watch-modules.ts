import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { watchFolder } from '../../../files/file-changes.js';

const settleMs = 100;
const pollMs = 1000;

/**
 * Calls a function after source files in the folder of a module, or below it, have changed; ignores node_modules. System events only
 * trigger an earlier scan: changes are detected by size and modification time. Returns a function that stops watching.
 */
export function watchModules(file: string, onChange: () => Promise<void>): () => void {
  const folder = path.dirname(file);
  let seen = fingerprint(folder);
  let running = Promise.resolve();
  let settling: NodeJS.Timeout | undefined;
  const look = (): void => {
    settling = undefined;
    const now = fingerprint(folder);
    if (now === seen) return;
    seen = now;
    running = running.then(onChange);
  };
  const noticed = (): void => {
    settling ??= setTimeout(look, settleMs);
  };
  const watcher = watchFolder(folder, noticed);
  const poll = setInterval(look, pollMs);
  return () => {
    clearInterval(poll);
    clearTimeout(settling);
    watcher?.close();
  };
}

/** Returns names, sizes and modification times of the source files below a folder. */
function fingerprint(folder: string): string {
  const lines: string[] = [];
  const visit = (at: string): void => {
    for (const entry of entriesOf(at)) {
      const name = path.join(at, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) visit(name);
      } else if (/\.([mc]?[jt]s|json|ya?ml)$/.test(entry.name)) lines.push(`${name} ${stamp(name)}`);
    }
  };
  visit(folder);
  return lines.join('\n');
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function stamp(file: string): string {
  try {
    const { size, mtimeMs, ino } = statSync(file);
    return `${size} ${mtimeMs} ${ino}`;
  } catch {
    return 'gone';
  }
}
