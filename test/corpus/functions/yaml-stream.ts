import { readManifests } from '../../../src/encoding/yaml-stream.js';
import { encodeUtf8Bytes } from '../../../src/go/utf8.js';
import type { CorpusCase } from '../files.js';
import { bytesOf, firstDifference } from './inputs.js';

/** `input`, a whole file, in; `documents` and the `error` where reading stopped out. */
export function difference(recorded: CorpusCase): string | undefined {
  return firstDifference(recorded, answerOf(recorded), ['documents', 'error']);
}

/** Result of the table's function. */
export function answerOf(question: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { documents, error } = readManifests(encodeUtf8Bytes(bytesOf(question, 'input')));
  const found = { documents: documents.map(document => wellFormed(document.json)) };
  return error === undefined ? found : { ...found, error: wellFormed(error.message) };
}

/** As printed: invalid UTF-8 becomes U+FFFD. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}
