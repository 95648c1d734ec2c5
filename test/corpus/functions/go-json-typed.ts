import { DecodeError } from '../../../src/apiserver/objects/codec.js';
import { decodeDocument } from '../../../src/apiserver/objects/decode-document.js';
import { server } from '../../support/server.js';
import type { CorpusCase } from '../files.js';

/** The classes `document` and `wrong-type`: a document of a built-in kind read into its Go type and written again. */
export function difference({ name: _name, json, ...expected }: CorpusCase): string | undefined {
  const found = answerOf(String(json));
  const same = ['result', 'error', 'strictError'].every(key => expected[key] === found[key]);
  return same ? undefined : `${String(json)}\nexpected ${JSON.stringify(expected)}\nfound    ${JSON.stringify(found)}`;
}

/** Result of the table's function. */
export function answerOf(json: string): Readonly<Record<string, string>> {
  try {
    const { codec, value, strictErrors } = decodeDocument(server, json);
    const result = codec.encode(value);
    return strictErrors.length === 0 ? { result } : { result, strictError: `strict decoding error: ${strictErrors.join(', ')}` };
  } catch (error) {
    if (error instanceof DecodeError) return { error: error.message };
    throw error;
  }
}
