import { decodeUtf8Bytes } from '../../../src/go/utf8.js';
import type { CorpusCase } from '../files.js';

/** A text of a case: as a string, or as base64 under the name with `Base64` behind it; `expand` carried out. */
export function bytesOf(recorded: Readonly<Record<string, unknown>>, name: string): string {
  const base64 = recorded[`${name}Base64`];
  if (typeof base64 === 'string') return decodeUtf8Bytes(Buffer.from(base64, 'base64'));
  const text = String(recorded[name]);
  const expand = (recorded['expand'] ?? {}) as Record<string, { readonly character: string; readonly times: number }>;
  return Object.entries(expand).reduce((t, [mark, { character, times }]) => t.replaceAll(mark, () => character.repeat(times)), text);
}

/** The first of these members that is not as recorded; a member absent on both sides is equal. */
export function firstDifference(
  recorded: CorpusCase,
  found: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string | undefined {
  for (const name of names) {
    const want = JSON.stringify(recorded[name]);
    const got = JSON.stringify(found[name]);
    if (want !== got) return `${name}\n- ${want ?? 'nothing'}\n+ ${got ?? 'nothing'}`;
  }
  return undefined;
}
