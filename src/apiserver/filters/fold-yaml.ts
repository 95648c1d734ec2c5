/** The column after which go-yaml breaks a line at the next space. */
const width = 80;

/** Breaks long scalars of a YAML document as go-yaml does, whose emitter knows no longer lines. Source: go-yaml v2 emitterc.go. */
export function foldYaml(document: string): string {
  const lines = document.split('\n');
  let blockIndent: number | undefined;
  return lines
    .map(line => {
      const indent = /^ */.exec(line)?.[0].length ?? 0;
      if (blockIndent !== undefined && (line === '' || indent > blockIndent)) return line;
      blockIndent = /(: |^ *- )\|[-+]?$/.test(line) ? indent : undefined;
      return blockIndent === undefined ? foldLine(line, indent) : line;
    })
    .join('\n');
}

/** Breaks behind the scalar's first character at single spaces; what follows is indented further than its key. */
function foldLine(line: string, indent: number): string {
  const [start = ''] = /^( *(- )*)([^:'"]+: )?/.exec(line) ?? [];
  const items = (/^ *((- )*)/.exec(start)?.[1] ?? '').length;
  const next = ' '.repeat(indent + items + 2);
  let folded = start;
  let column = start.length;
  const scalar = line.slice(start.length);
  for (let i = 0; i < scalar.length; i += 1) {
    const isBreak = scalar[i] === ' ' && column > width && i > 0 && scalar[i - 1] !== ' ' && scalar[i + 1] !== ' ' && i < scalar.length - 1;
    folded += isBreak ? `\n${next}` : scalar[i];
    column = isBreak ? next.length : column + 1;
  }
  return folded;
}
