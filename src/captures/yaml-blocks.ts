import { unstructuredOf } from '../encoding/unstructured.js';
import { readManifests } from '../encoding/yaml-stream.js';
import { readJson } from '../go/json/reader.js';
import { capturedObject } from './captured-kind.js';
import type { Layer } from './layer.js';
import type { Capture } from './scan.js';

/** The line of a review that says its kind, with its indentation. */
const kindLine = /^([ \t]*)kind: *["']?AdmissionReview["']?[ \t]*\r?$/gm;

/** Finds reviews in YAML that is part of a text: the lines around their kind with the same indentation or a deeper one. */
export function capturesInYaml(layer: Layer): Capture[] {
  const { text } = layer;
  let end = 0;
  return [...text.matchAll(kindLine)].flatMap(match => {
    if (match.index < end) return [];
    const indentation = match[1]?.length ?? 0;
    const lines = linesAround(text, match.index, indentation);
    end = lines.at(-1)?.end ?? end;
    const block = lines.map(({ start, end: lineEnd }) => text.slice(Math.min(start + indentation, lineEnd), lineEnd)).join('\n');
    const offsetAt = ({ line, column }: { readonly line: number; readonly column: number }): number =>
      layer.originOf((lines[line - 1]?.start ?? 0) + indentation + column - 1);
    return readManifests(Buffer.from(block)).documents.flatMap((document): Capture[] => {
      const captured = capturedObject(document.value ?? unstructuredOf(readJson(document.json)));
      if (captured === undefined) return [];
      const offsetOf = (pointer: string): number => offsetAt(document.positionOf(pointer));
      return [{ object: captured.object, isRequest: false, start: offsetOf(''), last: layer.originOf(end), offsetOf }];
    });
  });
}

interface Line {
  readonly start: number;
  /** Without the line break. */
  readonly end: number;
}

function linesAround(text: string, at: number, indentation: number): Line[] {
  const rankOf = ({ start, end }: Line): 'key' | 'deeper' | 'other' => {
    const line = text.slice(start, end);
    const own = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (line.trim() === '' || own > indentation) return 'deeper';
    return own === indentation && /^[A-Za-z]\w*:(?:\s|$)/.test(line.slice(own)) ? 'key' : 'other';
  };
  const lines: Line[] = [lineAt(text, at)];
  // Deeper lines before the first key are not part of the block.
  let pending: Line[] = [];
  for (let start = lines[0]?.start ?? 0; start > 0; ) {
    const before = lineAt(text, start - 1);
    const rank = rankOf(before);
    if (rank === 'other') break;
    pending.unshift(before);
    if (rank === 'key') {
      lines.unshift(...pending);
      pending = [];
    }
    start = before.start;
  }
  for (let next = (lines.at(-1)?.end ?? 0) + 1; next < text.length; ) {
    const after = lineAt(text, next);
    if (rankOf(after) === 'other') break;
    lines.push(after);
    next = after.end + 1;
  }
  return lines;
}

function lineAt(text: string, at: number): Line {
  const feed = text.indexOf('\n', at);
  return { start: text.lastIndexOf('\n', at - 1) + 1, end: feed === -1 ? text.length : feed };
}
