import { existsSync } from 'node:fs';
import { pendingEnding } from './snapshot-name.js';

/** Returns the file to compare with: the case's own snapshot or pending snapshot, otherwise the shared one. */
export function comparedFile(own: string, shared: string | undefined): string {
  if (shared === undefined || existsSync(own)) return own;
  return [shared, shared + pendingEnding].find(file => existsSync(file)) ?? own;
}
