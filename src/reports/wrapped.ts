/** Returns a line as lines of at most `columns` characters, divided at spaces, each with the indentation of the first. Longer words remain whole. */
export function wrappedLines(line: string, columns: number | undefined, indentation = /^ */.exec(line)?.[0].length ?? 0): string[] {
  if (columns === undefined || line.length <= columns) return [line];
  const lines: string[] = [];
  let current = line.slice(0, indentation);
  for (const word of line.slice(indentation).split(' ')) {
    const isFirst = current.length === indentation;
    if (isFirst || current.length + 1 + word.length <= columns) current += isFirst ? word : ` ${word}`;
    else {
      lines.push(current);
      current = `${' '.repeat(indentation)}${word}`;
    }
  }
  return [...lines, current];
}
