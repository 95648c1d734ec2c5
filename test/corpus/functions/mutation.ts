import { DecodeError } from '../../../src/apiserver/objects/codec.js';
import { decodeDocument } from '../../../src/apiserver/objects/decode-document.js';
import { decodePatched } from '../../../src/apiserver/objects/decode-patched.js';
import { semanticallyEqual } from '../../../src/apiserver/objects/semantic-equality.js';
import { applyJsonPatch, decodeJsonPatch, PatchDecodeError, PatchError } from '../../../src/apiserver/patches/json-patch.js';
import { server } from '../../support/server.js';
import type { CorpusCase } from '../files.js';

export function difference({ name: _name, object, patch, ...expected }: CorpusCase): string | undefined {
  const found = answerOf(String(object), String(patch));
  const same = ['result', 'changed', 'error', 'decodeError'].every(key => expected[key] === found[key]);
  return same ? undefined : `${String(patch)}\nexpected ${JSON.stringify(expected)}\nfound    ${JSON.stringify(found)}`;
}

/** Result of the table's function: patched, decoded into its type, compared, defaulted. */
export function answerOf(object: string, patch: string): Readonly<Record<string, string | boolean>> {
  try {
    const before = decodeDocument(server, object);
    const after = decodePatched(applyJsonPatch(before.codec.encode(before.value), decodeJsonPatch(patch)), before);
    const changed = !semanticallyEqual(server, before.value, after.value, before.codec);
    after.codec.setDefaults(after.value);
    return { changed, result: after.codec.encode(after.value) };
  } catch (error) {
    if (error instanceof PatchDecodeError) return { decodeError: error.message };
    if (error instanceof PatchError || error instanceof DecodeError) return { error: error.message };
    throw error;
  }
}
