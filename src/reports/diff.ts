import { structuredPatch } from 'diff/lib/patch/create.js';
import type { ObjectChange } from '../apiserver/admission/webhook-report.js';
import { readUnstructured } from '../encoding/unstructured.js';
import { writeYaml } from '../encoding/yaml-writer.js';
import { ownMember } from '../go/own-members.js';
import { mapAt } from '../go/value.js';
import { printable } from '../writers/printable.js';
import type { Palette } from './palette.js';

/** `gap`: unchanged lines are omitted here. `server`: set by the API server after the patch, such as a default, not by the patch. */
export interface DiffLine {
  readonly type: 'same' | 'added' | 'removed' | 'gap' | 'server';
  /** `+ line`: one more space than in a patch, so that YAML stays readable. */
  readonly text: string;
}

/** A webhook's changes as a diff of the object's YAML, with three lines of context. Empty if nothing changed. */
export function objectDiffLines({ before, patched, after }: ObjectChange): DiffLine[] {
  const result = yamlOf(after);
  const byServer = patched === undefined ? new Set<number>() : linesAdded(yamlOf(patched), result);
  const { hunks } = structuredPatch('', '', yamlOf(before), result, '', '', { context: 3 });
  return hunks.flatMap((hunk, i) => {
    let number = hunk.newStart;
    const lines = hunk.lines.map(line => {
      const isByServer = line.startsWith('+') && byServer.has(number);
      if (!line.startsWith('-')) number += 1;
      return diffLine(isByServer ? `~${line.slice(1)}` : line);
    });
    return [...(i === 0 ? [] : [gap]), ...lines];
  });
}

/** Explains the mark of the API server's lines. */
export const serverLegend = '~ set by the API server after the patch';

/** Returns the numbers of the lines of `after` that `before` does not have, from 1. */
function linesAdded(before: string, after: string): Set<number> {
  const added = new Set<number>();
  for (const hunk of structuredPatch('', '', before, after, '', '', { context: 0 }).hunks) {
    let number = hunk.newStart;
    for (const line of hunk.lines) {
      if (line.startsWith('+')) added.add(number);
      if (!line.startsWith('-')) number += 1;
    }
  }
  return added;
}

/** The same with colors. */
export function objectDiff(change: ObjectChange, palette: Palette): string[] {
  const colors = {
    same: preformatted,
    added: palette.good,
    server: palette.quiet,
    removed: palette.bad,
    gap: palette.quiet,
  } satisfies Record<DiffLine['type'], unknown>;
  const lines = objectDiffLines(change);
  const legend = lines.some(({ type }) => type === 'server') ? [palette.quiet(serverLegend)] : [];
  return [...lines.map(({ type, text }) => colors[type](printable(text))), ...legend];
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

const types: Readonly<Record<string, DiffLine['type']>> = { '+': 'added', '-': 'removed', '~': 'server' };

function diffLine(line: string): DiffLine {
  const text = `${line.slice(0, 1)} ${line.slice(1)}`.trimEnd();
  return { type: ownMember(types, line.charAt(0)) ?? 'same', text };
}
