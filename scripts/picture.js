// Renders a command's terminal output as an SVG, with the colors of the escape sequences. Each text has its column's place and its width, so that columns
// align in any font: browsers without the named ones draw in a proportional one.
import { spawnSync } from 'node:child_process';

const colors = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 34: '#79c0ff', 35: '#d2a8ff', 36: '#79c0ff', 90: '#8b949e', 2: '#8b949e' };
const [lineHeight, charWidth, margin] = [19, 8.1, 16];

/** Returns the picture of a command's output, run in the root of the repository; durations are kept from the known picture. */
export function pictureOf(argv, root, known) {
  const env = { ...process.env, FORCE_COLOR: '1' };
  const { stdout } = spawnSync(process.execPath, ['bin/run.js', ...argv], { cwd: root, encoding: 'utf8', env });
  const svg = svgOf([`$ webhook-cli ${argv.join(' ')}`, ...stdout.trimEnd().split('\n')]);
  const duration = /x="[^"]*"( y="[^"]*") textLength="[^"]*"([^>]*>)\d+\.\d ms/g;
  const masked = text => text.replace(duration, '$1$2N ms').replace(/(width|height|viewBox)="[^"]*"/g, '');
  return masked(svg) === masked(known) ? known : svg;
}

/** As wide as it may be to stay legible in a README on a phone. */
const maxColumns = 80;

/** Returns the SVG of lines with escape sequences. */
export function svgOf(lines) {
  const shown = lines.flatMap(wrapped);
  const width = Math.ceil(Math.max(...shown.map(line => plain(line).length)) * charWidth) + 2 * margin;
  const height = shown.length * lineHeight + 2 * margin;
  const texts = shown.flatMap((line, i) => textsOf(line, margin + 14 + i * lineHeight));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escaped(plain(lines[0] ?? ''))}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="#161b22" stroke="#6e7681"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13.5" fill="#e6edf3">
${texts.join('\n')}
</g>
</svg>
`;
}

/** Wraps a line at its indentation; only lines of one color are that long. */
function wrapped(line) {
  const text = plain(line);
  if (text.length <= maxColumns) return [line];
  const [, before = '', , after = ''] = /^((?:\u001b\[[0-9;]*m| )*)(.*?)((?:\u001b\[[0-9;]*m)*)$/.exec(line) ?? [];
  const codes = before.replaceAll(' ', '');
  const indent = /^ */.exec(text)[0];
  const rows = [''];
  for (const word of text.trim().split(' ')) {
    const room = maxColumns - indent.length - (rows.length === 1 ? 0 : 2);
    const joined = rows.at(-1) === '' ? word : `${rows.at(-1)} ${word}`;
    if (joined.length <= room) rows[rows.length - 1] = joined;
    else rows.push(word);
  }
  return rows.map((row, i) => `${codes}${indent}${i === 0 ? '' : '  '}${row}${after}`);
}

/** Returns a text element for each part of a line that has one color and no gap of several spaces. */
function textsOf(line, y) {
  let column = 0;
  return spansOf(line).flatMap(({ text, attributes }) =>
    (text.match(/ {2,}|(?:[^ ]| (?! ))+/g) ?? []).flatMap(part => {
      const start = column + part.length - part.trimStart().length;
      column += part.length;
      const shown = part.trim();
      if (shown === '') return [];
      const place = `x="${rounded(margin + start * charWidth)}" y="${y}" textLength="${rounded(shown.length * charWidth)}"`;
      return [`<text ${place}${attributes}>${escaped(shown)}</text>`];
    }),
  );
}

function spansOf(line) {
  const spans = [];
  let color;
  let isBold = false;
  for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
    const codes = /^\u001b\[([0-9;]*)m$/.exec(part)?.[1];
    if (codes === undefined) spans.push({ text: part, attributes: attributesOf(color, isBold) });
    for (const code of codes?.split(';') ?? []) {
      if (code === '1') isBold = true;
      else if (code === '22' || code === '0') isBold = false;
      if (colors[code] !== undefined) color = colors[code];
      else if (code === '39' || code === '0' || code === '22') color = undefined;
    }
  }
  return spans;
}

function attributesOf(color, isBold) {
  return `${color === undefined ? '' : ` fill="${color}"`}${isBold ? ' font-weight="bold"' : ''}`;
}

function rounded(number) {
  return Math.round(number * 10) / 10;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function plain(line) {
  return line.replace(/\u001b\[[0-9;]*m/g, '');
}
