import { applyMergePatch } from '../../../src/apiserver/patches/merge-patch.js';
import { PatchError } from '../../../src/apiserver/patches/patch-error.js';
import type { CorpusCase } from '../files.js';

export function difference(recorded: CorpusCase): string | undefined {
  const { original, patch, name: _name, ...expected } = recorded;
  const found = answerOf(String(original), String(patch));
  if (JSON.stringify(found) === JSON.stringify(expected)) return undefined;
  return `expected ${JSON.stringify(expected)}\nfound    ${JSON.stringify(found)}`;
}

/** Applies as the table's function does. */
export function answerOf(original: string, patch: string): Readonly<Record<string, unknown>> {
  try {
    return { result: applyMergePatch(original, patch) };
  } catch (error) {
    if (error instanceof PatchError) return { error: error.message };
    throw error;
  }
}
