/** An expression's text in cel-go's units: characters are code points, lines end at `\n`. */
export interface CelSource {
  readonly characters: readonly string[];
  /** Offsets of the second and later lines; the last entry is one past the end of the text. */
  readonly lineOffsets: readonly number[];
}

/** A location in a source: lines from 1, columns from 0. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
}

/** Location of errors without a position in cel-go; printed as `-1:0`. */
export const noLocation: SourceLocation = { line: -1, column: -1 };

/** Splits a text into code points and lines. Source: cel-go common/source.go. */
export function sourceOf(text: string): CelSource {
  const characters = Array.from(text);
  const lineOffsets: number[] = [];
  characters.forEach((character, i) => {
    if (character === '\n') lineOffsets.push(i + 1);
  });
  lineOffsets.push(text === '' ? 0 : characters.length + 1);
  return { characters, lineOffsets };
}

/** The line and column of a character. Source: cel-go common/ast GetLocationByOffset. */
export function locationAt(source: CelSource, offset: number): SourceLocation {
  if (source.characters.length === 0) return { line: 1, column: -1 };
  let line = 1;
  let column = offset;
  for (const lineOffset of source.lineOffsets) {
    if (lineOffset > offset) break;
    line += 1;
    column = offset - lineOffset;
  }
  return { line, column };
}

/** The text of a line; undefined when there is no such line or no text. */
export function lineText(source: CelSource, line: number): string | undefined {
  if (source.characters.length === 0) return undefined;
  const start = lineStart(source, line);
  if (start === undefined) return undefined;
  const next = lineStart(source, line + 1);
  return source.characters.slice(start, next === undefined ? undefined : next - 1).join('');
}

function lineStart(source: CelSource, line: number): number | undefined {
  return line === 1 ? 0 : source.lineOffsets[line - 2];
}
