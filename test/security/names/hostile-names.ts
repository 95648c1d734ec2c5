/** How many names each command is tried with; `HOSTILE_NAMES=500` for a long run. */
export const nameCount = Number(process.env['HOSTILE_NAMES'] ?? 60);

/** Texts that are syntax somewhere: in a shell, YAML, XML, HTML, Markdown, a terminal, a runner of a pipeline, Windows. */
const parts = [
  ...[
    '"',
    "'",
    '\n',
    '\r\n',
    '\t',
    ' ',
    '\\',
    '$(touch PWNED)',
    '`touch PWNED`',
    '$HOME',
    `\${IFS}`,
    ';',
    '&&',
    '|',
    '>PWNED',
    '#',
    '!',
    '~',
    '%s',
  ],
  ...[
    ': ',
    ' #',
    '- ',
    '? ',
    '---',
    '...',
    '{',
    '}',
    '[',
    ']',
    ',',
    '&a',
    '*a',
    '!!str',
    '@',
    '|-',
    '{{x}}',
    `\${{ github.token }}`,
    '=',
    '%',
  ],
  ...['-->', ']]>', '<!--', '<![CDATA[', '</script>', '<img src=x onerror=y>', '&lt;', '&#60;', '</textarea>', '<?x?>', '<b>'],
  ...[
    '`',
    '```',
    '**',
    '__',
    '![x](http://h.example)',
    '[x](javascript:y)',
    '<http://h.example>',
    'https://h.example',
    'www.h.example',
    '@team',
    ':+1:',
  ],
  ...[
    '\u001b[31m',
    '\u001b]0;title\u0007',
    '\u009b2J',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u202e',
    '\u2066',
    '\u200f',
    '\u200b',
    '\ufeff',
    '\b',
  ],
  ...['\n::error::x', '\r::stop-commands::x', `${'#'.repeat(2)}vso[task.x]y`, `${'#'.repeat(2)}[group]x`, `${'#'.repeat(2)}teamcity[x]`],
  ...[
    '-',
    '--flag',
    '-rf',
    'CON',
    'nul',
    'COM1',
    'aux.',
    '__proto__',
    'constructor',
    'null',
    'true',
    '1e3',
    '0x1',
    '2026-01-01',
    'é',
    '😀',
  ],
];

/** Returns names in which each of these texts is, then each alone, and then several of them, the same ones at each run. No name has a slash or a NUL. */
export function hostileNames(count: number): readonly string[] {
  let state = 1;
  const next = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
  const part = (): string => (next(4) === 0 ? 'ab' : (parts[next(parts.length)] ?? ''));
  // A text is at the beginning, at the end, or between two others.
  const covering = parts.map((text, i) => (i % 3 === 0 ? text + part() : i % 3 === 1 ? part() + text : part() + text + part()));
  const few = Array.from({ length: Math.ceil(parts.length / 2) }, (_, i) => parts.slice(2 * i, 2 * i + 2).join('ab'));
  const mixed = Array.from({ length: count }, () => Array.from({ length: 2 + next(4) }, part).join(''));
  const all = count < 2 * parts.length ? [...few, ...mixed] : [...few, ...parts, ...covering, ...mixed];
  return [...new Set(all.map(name => name.replaceAll('/', '')))]
    .filter(name => name !== '' && Buffer.byteLength(name) < 150)
    .slice(0, count);
}
