import { DecodeError } from '../../../src/apiserver/objects/codec.js';
import { decodeDocument } from '../../../src/apiserver/objects/decode-document.js';
import { server } from '../../support/server.js';
import type { CorpusCase } from '../files.js';

export function difference({ name: _name, document, ...expected }: CorpusCase): string | undefined {
  const found = answerOf(String(document));
  const same = ['result', 'error'].every(key => expected[key] === found[key]);
  return same ? undefined : `${String(document)}\nexpected ${JSON.stringify(expected)}\nfound    ${JSON.stringify(found)}`;
}

/** Result of the table's function: decoded, defaulted, converted through the internal version, encoded. */
export function answerOf(document: string): Readonly<Record<string, string>> {
  try {
    const { codec, value } = decodeDocument(server, document);
    codec.applyDefaults(value);
    return { result: codec.encode(value) };
  } catch (error) {
    if (error instanceof DecodeError) return { error: error.message };
    throw error;
  }
}
