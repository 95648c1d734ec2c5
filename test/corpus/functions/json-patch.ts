import {
  applyJsonPatch,
  decodeJsonPatch,
  type JsonPatch,
  PatchDecodeError,
  PatchError,
  PatchPanic,
} from '../../../src/apiserver/patches/json-patch.js';
import type { CorpusCase } from '../files.js';

/** Result, with the members of the function table. */
export type PatchAnswer = Readonly<Record<string, unknown>>;

export function difference(recorded: CorpusCase): string | undefined {
  const { document, patch, expand, name: _name, ...expected } = recorded;
  const answer = answerOf(expanded(document, expand), expanded(patch, expand));
  const found = expected['resultLength'] === undefined ? answer : { resultLength: String(answer['result'] ?? '').length };
  if ('panic' in expected && 'panic' in found) return undefined;
  if (JSON.stringify(found) === JSON.stringify(expected)) return undefined;
  return `expected ${JSON.stringify(expected)}\nfound    ${JSON.stringify(found)}`;
}

/** Decodes and applies as the table's function does. */
export function answerOf(document: string, patchText: string): PatchAnswer {
  let patch: JsonPatch;
  try {
    patch = decodeJsonPatch(patchText);
  } catch (error) {
    if (error instanceof PatchDecodeError) return { decodeError: error.message };
    throw error;
  }
  if (patch.operations.length === 0) return { operations: 0 };
  try {
    return { result: applyJsonPatch(document, patch) };
  } catch (error) {
    if (error instanceof PatchPanic) return { panic: error.message };
    if (error instanceof PatchError) return { error: error.message };
    throw error;
  }
}

/** Expands the abbreviated long inputs of the table. */
function expanded(text: unknown, expand: unknown): string {
  const table = (expand ?? {}) as Record<string, { character: string; times: number }>;
  return Object.entries(table).reduce((t, [mark, { character, times }]) => t.replaceAll(mark, character.repeat(times)), String(text));
}
