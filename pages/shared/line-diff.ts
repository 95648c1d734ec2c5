import { diffArrays } from 'diff/lib/diff/array.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { writeYaml } from '../../src/encoding/yaml-writer.js';
import { mapAt } from '../../src/go/value.js';

/** Lines that changed, or that did not. */
export interface Block {
  readonly type: 'same' | 'changed';
  readonly before: readonly string[];
  readonly after: readonly AfterLine[];
}

/** A line of the object after a step. */
export interface AfterLine {
  readonly text: string;
  /** Set by the API server after the patch, not by the patch. */
  readonly isByServer: boolean;
}

/** An object as JSON before and after a step, and between a webhook's patch and what the API server sets after it. */
export interface Change {
  readonly before: string | undefined;
  readonly patched?: string | undefined;
  readonly after: string | undefined;
}

/** Returns the lines of an object before and after a step as YAML, block by block. `managedFields` are left out unless asked for. */
export function blocksOf({ before, patched, after }: Change, withManagedFields: boolean): Block[] {
  const lines = yamlLines(after, withManagedFields);
  const byServer = patched === undefined ? new Set<number>() : addedLines(yamlLines(patched, withManagedFields), lines);
  let index = 0;
  const toLine = (text: string): AfterLine => ({ text, isByServer: byServer.has(index++) });
  const blocks: Block[] = [];
  for (const { added, removed, value } of diffArrays(yamlLines(before, withManagedFields), lines)) {
    const last = blocks.at(-1);
    if (!added && !removed) blocks.push({ type: 'same', before: value, after: value.map(toLine) });
    else if (last?.type === 'changed' && added) blocks[blocks.length - 1] = { ...last, after: value.map(toLine) };
    else blocks.push({ type: 'changed', before: removed ? value : [], after: added ? value.map(toLine) : [] });
  }
  return blocks;
}

/** Returns the indexes of the lines that only the second text has. */
function addedLines(before: readonly string[], after: readonly string[]): Set<number> {
  const added = new Set<number>();
  let index = 0;
  for (const part of diffArrays([...before], [...after])) {
    if (part.removed) continue;
    for (let end = index + part.value.length; index < end; index += 1) if (part.added) added.add(index);
  }
  return added;
}

function yamlLines(json: string | undefined, withManagedFields: boolean): string[] {
  if (json === undefined || json === '') return [];
  const object = readUnstructured(json);
  if (!withManagedFields) mapAt(object, 'metadata')?.delete('managedFields');
  return writeYaml(object).trimEnd().split('\n');
}
