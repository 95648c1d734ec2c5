import { type CelSource, lineText, type SourceLocation } from './source.js';

/** An error in an expression, with its location. */
export interface Issue {
  readonly location: SourceLocation;
  readonly message: string;
}

/** Issues in the order of discovery; over a hundred, only the number is kept. */
export interface Issues {
  readonly found: Issue[];
  count: number;
}

/** An empty list of issues. */
export function newIssues(): Issues {
  return { found: [], count: 0 };
}

/** Records an issue. */
export function reportIssue(issues: Issues, location: SourceLocation, message: string): void {
  issues.count += 1;
  if (issues.count <= maxIssues) issues.found.push({ location, message });
}

/**
 * Formats issues as cel-go does, sorted by location: `ERROR: <input>:1:8: ...`, the line, and a caret under the character. Source: cel-go
 * common/errors.go, common/error.go.
 */
export function displayIssues(issues: Issues, source: CelSource): string {
  const sorted = [...issues.found].sort((a, b) => a.location.line - b.location.line || a.location.column - b.location.column);
  const lines = sorted.map(issue => displayIssue(issue, source));
  if (issues.count > maxIssues) lines.push(`${issues.count - maxIssues} more errors were truncated`);
  return lines.join('\n');
}

const maxIssues = 100;
const maxSnippetBytes = 16384;

function displayIssue({ location, message }: Issue, source: CelSource): string {
  const head = `ERROR: <input>:${location.line}:${location.column + 1}: ${message}`;
  const line = lineText(source, location.line);
  if (line === undefined || Buffer.byteLength(line) > maxSnippetBytes) return head;
  return `${head}\n | ${line.replaceAll('\t', ' ')}\n | ${pointer(Array.from(line), location.column)}`;
}

/** Dots up to a caret; full-width under non-ASCII characters. */
function pointer(characters: readonly string[], column: number): string {
  let dots = '';
  for (const character of characters.slice(0, Math.max(column, 0))) dots += isWide(character) ? '\uff0e' : '.';
  return dots + (isWide(characters[column] ?? '') ? '\uff3e' : '^');
}

function isWide(character: string): boolean {
  return character > '\u007f';
}
