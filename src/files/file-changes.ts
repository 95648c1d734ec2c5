import { type FSWatcher, statSync, watch } from 'node:fs';
import path from 'node:path';

/** Polling interval, for changes without an event: replaced folders, targets of links, network file systems. */
const compareMs = 500;

/** Calls a function soon after a file was written, replaced or removed; several times for one change. Returns a function that stops it. */
export function watchChanges(files: readonly string[], onChange: () => void): () => void {
  const folders = [...new Set(files.map(file => path.dirname(file)))];
  const watchers = folders.map(folder => watchFolder(folder, onChange));
  // Not watchFile of Node: it looks at the files for the first time later, and a change until then stays unknown.
  let known = files.map(identityOf).join();
  const comparing = setInterval(() => {
    const current = files.map(identityOf).join();
    if (current === known) return;
    known = current;
    onChange();
  }, compareMs).unref();
  return () => {
    for (const watcher of watchers) watcher?.close();
    clearInterval(comparing);
  };
}

/** Returns what changes when a file, or the target of a link, is written or replaced. */
function identityOf(file: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return 'missing';
  }
}

/** Watches a folder without keeping the process running; undefined when the system cannot watch it, so that callers must poll as well. */
export function watchFolder(folder: string, onEvent: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
