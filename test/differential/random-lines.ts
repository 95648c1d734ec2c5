import type { Random } from './random.js';

/** Some lines of a text in which a few things have changed: most results are plausible. */
export function mutilatedLines(random: Random, text: string): string {
  const all = text.split('\n');
  const from = random.below(all.length);
  const lines = all.slice(from, from + 1 + random.below(all.length - from));
  for (let count = random.below(4); count > 0; count -= 1) change(random, lines);
  return `${lines.join('\n')}${random.pick(['\n', '\n', ''])}`;
}

function change(random: Random, lines: string[]): void {
  const at = random.below(lines.length);
  const line = lines[at] ?? '';
  switch (random.below(6)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(at, 0, random.pick(inserted));
      break;
    case 2:
      lines[at] = `${' '.repeat(random.below(3))}${line.slice(random.below(3))}`;
      break;
    case 3:
      lines[at] = line.slice(0, random.below(line.length + 1)) + random.pick(pieces) + line.slice(random.below(line.length + 1));
      break;
    case 4:
      lines.splice(at, 0, lines[random.below(lines.length)] ?? '');
      break;
    default:
      lines[at] = line.slice(0, random.below(line.length + 1));
  }
}

const inserted = [
  '',
  '  ',
  '# comment',
  '    # comment',
  '---',
  '...',
  '- a',
  '  - b: c',
  'a: b',
  '  \tx',
  '\t',
  '      deeper',
  "'",
  'a: |',
  'b: >2',
  '-',
];
const pieces = [
  ' ',
  ': ',
  ':',
  ' #',
  '#',
  '- ',
  '"',
  "'",
  '\\',
  ',',
  '[',
  ']',
  '{',
  '}',
  '&a ',
  '*a',
  '!!str ',
  '|',
  '>',
  '\t',
  'é',
  '😀',
  '?',
  '@',
  '%',
  '\u00a0',
  '\u2028',
  '~',
  '<<: ',
  '0x1f',
];
