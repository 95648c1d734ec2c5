import { readUnstructured } from '../../encoding/unstructured.js';
import { YamlError, yamlToJson } from '../../encoding/yaml.js';
import { writeYaml } from '../../encoding/yaml-writer.js';
import type { Value } from '../../go/value.js';

/** An unusable snapshot; `line` counts from 1. */
export interface UnusableSnapshot {
  readonly message: string;
  readonly line: number;
  readonly suggestion: string;
}

/** A new number makes older versions reject newer snapshots. */
const format = 1;

/** Start of the first line. */
export const firstLineStart = '# webhook-cli snapshot, format ';

/** Formats a snapshot file: the format's version on the first line, then one YAML document. */
export function snapshotText(document: Value): string {
  return `${firstLineStart}${format}\n${writeYaml(document)}`;
}

/** Parses a snapshot file; returns an error if it cannot be compared or replaced. */
export function readSnapshot(text: string): { readonly document: Value } | UnusableSnapshot {
  const lines = text.split('\n');
  const conflict = lines.findIndex(line => /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/.test(line));
  if (conflict >= 0) return { message: 'contains unresolved merge conflict markers', line: conflict + 1, suggestion: 'resolve it' };
  const version = /^# webhook-cli snapshot, format (\d+)\r?$/.exec(lines[0] ?? '')?.[1];
  if (version === undefined) {
    return {
      message: 'is not a snapshot: its first line has no format',
      line: 1,
      suggestion: 'move it out of the snapshot folder',
    };
  }
  if (Number(version) > format) {
    return { message: `has format ${version}, written by a newer version of webhook-cli`, line: 1, suggestion: 'update webhook-cli' };
  }
  try {
    return { document: readUnstructured(yamlToJson(text)) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const message = `cannot be read: ${error.message.replaceAll('\n', ' ')}`;
    return { message, line: (error.line ?? 0) + 1, suggestion: 'restore it, or remove it and accept a new one' };
  }
}
