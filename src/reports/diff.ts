import { structuredPatch } from 'diff';
import { readUnstructured } from '../encoding/unstructured.js';
import { writeYaml } from '../encoding/yaml-writer.js';
import { mapAt } from '../kubernetes/value.js';
import type { Palette } from './palette.js';

/** What a webhook changed, as a diff of the object's YAML: hunks without file names, three lines of context. No lines: nothing changed. */
export function objectDiff({ before, after }: { readonly before: string; readonly after: string }, palette: Palette): string[] {
  const { hunks } = structuredPatch('', '', yamlOf(before), yamlOf(after), '', '', { context: 3 });
  return hunks.flatMap((hunk, i) => [...(i === 0 ? [] : [palette.quiet('  ...')]), ...hunk.lines.map(line => coloured(line, palette))]);
}

/** Without managedFields, which kubectl does not show either. */
function yamlOf(json: string): string {
  if (json === '') return '';
  const object = readUnstructured(json);
  mapAt(object, 'metadata')?.delete('managedFields');
  return writeYaml(object);
}

/** `+ line`: one more blank than a patch has, so that YAML stays readable. */
function coloured(line: string, palette: Palette): string {
  const text = `${line.slice(0, 1)} ${line.slice(1)}`.trimEnd();
  if (line.startsWith('+')) return palette.good(text);
  return line.startsWith('-') ? palette.bad(text) : text;
}
