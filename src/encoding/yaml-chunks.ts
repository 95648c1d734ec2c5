import { encodeUtf8Bytes } from '../go/utf8.js';
import { trimSpace } from '../go/white-space.js';

/** One YAML document of a file, as kubectl splits it off before parsing. */
export interface YamlChunk {
  /** Lines end in line feeds only. */
  readonly text: string;
  /** Offset in the text of the file. */
  readonly start: number;
}

/** Text after `---`. */
export interface BadSeparator {
  /** Message of kubectl: `invalid Yaml document separator: x`. */
  readonly message: string;
  /** Offset of the line. */
  readonly start: number;
}

/**
 * Splits a text at the lines that begin with `---`. A separator with nothing before it stays in the document, as in kubectl. Ends at a
 * line with anything but a comment after the dashes. Source: apimachinery util/yaml YAMLReader.
 */
export function* yamlChunks(text: string, from: number): Generator<YamlChunk | BadSeparator, void, undefined> {
  let start = from;
  for (let at = from; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const next = newline < 0 ? text.length : newline + 1;
    if (text.startsWith('---', at)) {
      const after = trimSpace(text.slice(at + 3, next));
      if (after !== '' && !after.startsWith('#')) {
        yield { message: `invalid Yaml document separator: ${after}`, start: at };
        return;
      }
      if (at > start) {
        yield chunkOf(text, start, at);
        start = next;
      }
    }
    if (newline < 0 && isLost(text.slice(at))) {
      if (at > start) yield chunkOf(text, start, at);
      return;
    }
    at = next;
  }
  if (start < text.length) yield chunkOf(text, start, text.length);
}

function chunkOf(text: string, start: number, end: number): YamlChunk {
  const lines = text.slice(start, end).replaceAll('\r\n', '\n');
  return { text: lines.endsWith('\n') ? lines : `${lines}\n`, start };
}

/** Size of kubectl's read buffer. */
const portionSize = 4096;

/** kubectl loses a last line without a line feed if it ends at a buffer boundary. A CR at the end of a buffer is left for the next one. */
function isLost(line: string): boolean {
  if (line.length * 3 < portionSize) return false;
  const bytes = encodeUtf8Bytes(line);
  let at = 0;
  while (bytes.length - at >= portionSize) at += bytes[at + portionSize - 1] === 0x0d ? portionSize - 1 : portionSize;
  return at === bytes.length;
}
