import { existsSync } from 'node:fs';
import { pendingEnding } from './snapshot-name.js';

/** The file to compare with: the case's own, or else the one it shares, decided or pending. */
export function comparedFile(own: string, shared: string | undefined): string {
  if (shared === undefined || existsSync(own)) return own;
  return [shared, shared + pendingEnding].find(file => existsSync(file)) ?? own;
}
