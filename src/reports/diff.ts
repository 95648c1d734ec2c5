import { structuredPatch } from 'diff/lib/patch/create.js';
import { readUnstructured } from '../encoding/unstructured.js';
import { writeYaml } from '../encoding/yaml-writer.js';
import { mapAt } from '../go/value.js';
import type { Palette } from './palette.js';
import { printable } from './printable.js';

/** An object before and after, as JSON. */
export interface Change {
  readonly before: string;
  readonly after: string;
}

/** `gap`: unchanged lines are omitted here. */
export interface DiffLine {
  readonly type: 'same' | 'added' | 'removed' | 'gap';
  /** `+ line`: one more space than in a patch, so that YAML stays readable. */
  readonly text: string;
}

/** A webhook's changes as a diff of the object's YAML, with three lines of context. Empty if nothing changed. */
export function objectDiffLines({ before, after }: Change): DiffLine[] {
  const { hunks } = structuredPatch('', '', yamlOf(before), yamlOf(after), '', '', { context: 3 });
  return hunks.flatMap((hunk, i) => [...(i === 0 ? [] : [gap]), ...hunk.lines.map(diffLine)]);
}

/** The same with colors. */
export function objectDiff(change: Change, palette: Palette): string[] {
  const colors = { same: preformatted, added: palette.good, removed: palette.bad, gap: palette.quiet } satisfies Record<
    DiffLine['type'],
    unknown
  >;
  return objectDiffLines(change).map(({ type, text }) => colors[type](printable(text)));
}

const gap: DiffLine = { type: 'gap', text: '  ...' };

function preformatted(text: string): string {
  return text;
}

/** Without managedFields, which kubectl does not show either. */
function yamlOf(json: string): string {
  if (json === '') return '';
  const object = readUnstructured(json);
  mapAt(object, 'metadata')?.delete('managedFields');
  return writeYaml(object);
}

function diffLine(line: string): DiffLine {
  const text = `${line.slice(0, 1)} ${line.slice(1)}`.trimEnd();
  return { type: line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same', text };
}
