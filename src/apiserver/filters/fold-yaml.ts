/** Column after which go-yaml breaks a line at the next space. */
const width = 80;

/** Folds long scalars of a YAML document as go-yaml's emitter does. Source: go-yaml v2 emitterc.go. */
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

/** Breaks a line at single spaces after the scalar's first character; continuation lines are indented further than the key. */
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
