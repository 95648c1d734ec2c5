import { decodeUtf8Bytes } from '../../../src/go/utf8.js';
import type { CorpusCase } from '../files.js';

/** Text of a case: a string, or base64 with the suffix `Base64` in the name; `expand` is applied. */
export function bytesOf(recorded: Readonly<Record<string, unknown>>, name: string): string {
  const base64 = recorded[`${name}Base64`];
  if (typeof base64 === 'string') return decodeUtf8Bytes(Buffer.from(base64, 'base64'));
  const text = String(recorded[name]);
  const expand = (recorded['expand'] ?? {}) as Record<string, { readonly character: string; readonly times: number }>;
  return Object.entries(expand).reduce((t, [mark, { character, times }]) => t.replaceAll(mark, () => character.repeat(times)), text);
}

/** Returns the first member that differs from the recording; members absent on both sides are equal. */
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
