import { diffArrays } from 'diff/lib/diff/array.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { writeYaml } from '../../src/encoding/yaml-writer.js';
import { mapAt } from '../../src/go/value.js';

/** Lines that changed, or that did not. */
export interface Block {
  readonly type: 'same' | 'changed';
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Returns the lines of two objects in JSON as YAML, block by block. `managedFields` are left out unless asked for. */
export function blocksOf(before: string | undefined, after: string | undefined, withManagedFields: boolean): Block[] {
  const blocks: Block[] = [];
  for (const part of diffArrays(yamlLines(before, withManagedFields), yamlLines(after, withManagedFields))) {
    const last = blocks.at(-1);
    if (part.added !== true && part.removed !== true) blocks.push({ type: 'same', before: part.value, after: part.value });
    else if (last?.type === 'changed' && part.added === true) blocks[blocks.length - 1] = { ...last, after: part.value };
    else blocks.push({ type: 'changed', before: part.removed === true ? part.value : [], after: part.added === true ? part.value : [] });
  }
  return blocks;
}

function yamlLines(json: string | undefined, withManagedFields: boolean): string[] {
  if (json === undefined || json === '') return [];
  const object = readUnstructured(json);
  if (!withManagedFields) mapAt(object, 'metadata')?.delete('managedFields');
  return writeYaml(object).trimEnd().split('\n');
}
