import { readUnstructured } from '../../encoding/unstructured.js';
import { YamlError, yamlToJson } from '../../encoding/yaml.js';
import { writeYaml } from '../../encoding/yaml-writer.js';
import type { Value } from '../../go/value.js';

/** A snapshot that cannot be used as it is; `line` counts from 1. */
export interface UnusableSnapshot {
  readonly message: string;
  readonly line: number;
  readonly suggestion: string;
}

/** A change of this number makes older programs refuse what newer ones wrote. */
const format = 1;

/** The file of a snapshot: the format's version on the first line, then one YAML document. */
export function snapshotText(document: Value): string {
  return `# webhook-cli snapshot, format ${format}\n${writeYaml(document)}`;
}

/** The document of a snapshot's file, or why it is none that may be compared or replaced. */
export function readSnapshot(text: string): { readonly document: Value } | UnusableSnapshot {
  const lines = text.split('\n');
  const conflict = lines.findIndex(line => /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/.test(line));
  if (conflict >= 0)
    return { message: 'holds the marks of a conflict that was not resolved', line: conflict + 1, suggestion: 'resolve it' };
  const version = /^# webhook-cli snapshot, format (\d+)\r?$/.exec(lines[0] ?? '')?.[1];
  if (version === undefined) {
    return {
      message: 'is no snapshot: its first line does not say the format',
      line: 1,
      suggestion: 'move it out of the folder of snapshots',
    };
  }
  if (Number(version) > format) {
    return { message: `is of format ${version}, written by a newer version of webhook-cli`, line: 1, suggestion: 'update webhook-cli' };
  }
  try {
    return { document: readUnstructured(yamlToJson(text)) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const message = `cannot be read: ${error.message.replaceAll('\n', ' ')}`;
    return { message, line: (error.line ?? 0) + 1, suggestion: 'restore it, or remove it and accept a new one' };
  }
}
