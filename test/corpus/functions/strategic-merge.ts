import { fromUnstructured } from '../../../src/apiserver/patches/from-unstructured.js';
import { PatchPanic } from '../../../src/apiserver/patches/lazy-node.js';
import { PatchDecodeError, PatchError } from '../../../src/apiserver/patches/patch-error.js';
import { decodeStrategicPatch, strategicMerge } from '../../../src/apiserver/patches/strategic-merge.js';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { writeValue } from '../../../src/go/json/write.js';
import { isMap } from '../../../src/go/value.js';
import { parseApiVersion } from '../../../src/kubernetes/group-version.js';
import { schemaOfKind } from '../../../src/kubernetes/type-table.js';
import { server } from '../../support/server.js';
import type { CorpusCase } from '../files.js';

export function difference(recorded: CorpusCase): string | undefined {
  const { kind, original, patch, name: _name, ...expected } = recorded;
  const found = answerOf({ kind: String(kind), original: String(original), patch: String(patch) });
  if (JSON.stringify(found) === JSON.stringify(expected)) return undefined;
  return `expected ${JSON.stringify(expected)}\nfound    ${JSON.stringify(found)}`;
}

/** Merges and reads the result into the type as the table's function does. */
export function answerOf(input: { kind: string; original: string; patch: string }): Readonly<Record<string, unknown>> {
  const at = input.kind.lastIndexOf('/');
  const groupVersion = parseApiVersion(input.kind.slice(0, at));
  const schema = groupVersion && schemaOfKind(server, { ...groupVersion, kind: input.kind.slice(at + 1) });
  const original = readUnstructured(input.original);
  if (schema === undefined || !isMap(original)) throw new Error('the question makes no sense');
  try {
    const patch = decodeStrategicPatch(input.patch).patch;
    const merged = strategicMerge(original, patch, schema);
    const result = writeValue(merged, 'sorted');
    const typedError = errorOf(() => fromUnstructured(merged, schema));
    return typedError === undefined ? { result } : { result, typedError };
  } catch (error) {
    if (error instanceof PatchDecodeError) return { decodeError: error.message };
    if (error instanceof PatchPanic) return { panic: error.message };
    if (error instanceof PatchError) return { error: error.message };
    throw error;
  }
}

function errorOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof PatchError) return error.message;
    throw error;
  }
}
