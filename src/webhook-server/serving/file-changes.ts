import { type FSWatcher, unwatchFile, watch, watchFile } from 'node:fs';
import path from 'node:path';

/** Polling interval, for changes without an event: replaced folders, targets of links, network file systems. */
const compareMs = 500;

/** Calls a function soon after a file was written, replaced or removed; several times for one change. Returns a function that stops it. */
export function watchChanges(files: readonly string[], onChange: () => void): () => void {
  const folders = [...new Set(files.map(file => path.dirname(file)))];
  const watchers = folders.map(folder => watchFolder(folder, onChange));
  for (const file of files) watchFile(file, { interval: compareMs, persistent: false }, onChange);
  return () => {
    for (const watcher of watchers) watcher?.close();
    for (const file of files) unwatchFile(file, onChange);
  };
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
