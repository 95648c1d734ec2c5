import { unstructuredOf } from '../encoding/unstructured.js';
import { readManifests } from '../encoding/yaml-stream.js';
import { readJson } from '../go/json/reader.js';
import { capturedObject } from './captured-kind.js';
import type { Layer } from './layer.js';
import type { Capture, Effort } from './scan.js';

/** The line of a review that says its kind, with its indentation. */
const kindLine = /^([ \t]*)kind: *["']?AdmissionReview["']?[ \t]*\r?$/gm;

/** Finds reviews in YAML that is part of a text: the lines around their kind with the same indentation or a deeper one. */
export function capturesInYaml(layer: Layer, effort: Effort): Capture[] {
  const { text } = layer;
  const found: Capture[] = [];
  let end = 0;
  for (const match of text.matchAll(kindLine)) {
    if (match.index < end) continue;
    if (effort.left <= 0) {
      effort.endedAt ??= layer.originOf(match.index);
      break;
    }
    const lines = linesAround(text, match.index, match[1]?.length ?? 0);
    end = lines.at(-1)?.end ?? end;
    effort.left -= parsingEffort * (end - (lines[0]?.start ?? end));
    for (const capture of reviewsIn(layer, lines, match[1]?.length ?? 0)) found.push(capture);
  }
  return found;
}

/** Parsing YAML takes longer than looking for braces. */
const parsingEffort = 4;

/** The API server sends at most 3 MiB per object. */
const maxBlockLength = 8 * 1024 * 1024;

function reviewsIn(layer: Layer, lines: readonly Line[], indentation: number): Capture[] {
  const { text } = layer;
  const [start, end] = [lines[0]?.start ?? 0, lines.at(-1)?.end ?? 0];
  if (end - start > maxBlockLength) return [];
  const block = lines
    .map(({ start: lineStart, end: lineEnd }) => text.slice(Math.min(lineStart + indentation, lineEnd), lineEnd))
    .join('\n');
  const offsetAt = ({ line, column }: { readonly line: number; readonly column: number }): number =>
    layer.originOf((lines[line - 1]?.start ?? 0) + indentation + column - 1);
  return readManifests(Buffer.from(block)).documents.flatMap((document): Capture[] => {
    const captured = capturedObject(document.value ?? unstructuredOf(readJson(document.json)));
    if (captured === undefined) return [];
    const offsetOf = (pointer: string): number => offsetAt(document.positionOf(pointer));
    return [{ object: captured.object, isRequest: false, start: offsetOf(''), last: layer.originOf(end), offsetOf }];
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
  // Lines before the kind, in reverse; deeper ones before the first key are not part of the block.
  const before: Line[] = [];
  let keys = 0;
  const kind = lineAt(text, at);
  for (let { start } = kind; start > 0 && kind.end - start <= maxBlockLength; ) {
    const line = lineAt(text, start - 1);
    const rank = rankOf(line);
    if (rank === 'other') break;
    before.push(line);
    if (rank === 'key') keys = before.length;
    start = line.start;
  }
  const lines = [...before.slice(0, keys).reverse(), kind];
  for (let next = kind.end + 1; next < text.length; ) {
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
