import { fileURLToPath } from 'node:url';

/** Returns the path of a document on disk; empty for one without a file, such as `untitled:1`. */
export function pathOfUri(uri: string): string {
  if (!uri.startsWith('file:')) return '';
  try {
    return fileURLToPath(uri);
  } catch {
    return '';
  }
}
