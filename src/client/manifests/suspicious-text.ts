export interface Suspicion {
  readonly line: number;
  readonly column: number;
  readonly what: string;
}

const utf8 = new TextDecoder('utf-8');

/** Returns characters that look like others: accepted, as by kubectl, with a warning. Line and column start at 1. */
export function suspiciousCharacters(bytes: Uint8Array): Suspicion[] {
  if (isUtf16(bytes)) return [];
  const text = utf8.decode(bytes);
  if (!mayBeSuspicious.test(text)) return [];
  const found: Suspicion[] = [];
  for (const match of text.matchAll(suspicious)) {
    const before = text.slice(0, match.index).split('\n');
    found.push({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1, what: names[match[0]] ?? 'an unusual character' });
    if (found.length === 5) break;
  }
  return found;
}

/** Returns suggestions for a file with a syntax error. */
export function syntaxAdvice(bytes: Uint8Array): string[] {
  const text = utf8.decode(bytes.subarray(0, 1024 * 1024));
  if (/\{\{.*\}\}/.test(text)) return ['render the template first: it contains {{'];
  const odd = suspiciousCharacters(bytes).find(({ what }) => what !== notUtf8);
  if (odd !== undefined) return [`check ${odd.line}:${odd.column}, which contains ${odd.what}`];
  if (/^\s*\{/.test(text) && /(^|\s)\/\//.test(text)) return ['remove the comments: JSON does not allow them'];
  return /^ *\t/m.test(text) ? ['indent with spaces: YAML does not allow tabs'] : [];
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

const notUtf8 = 'a byte that is not UTF-8';

const names: Readonly<Record<string, string>> = {
  '\u200b': 'a zero-width space (U+200B)',
  '\u2060': 'a word joiner (U+2060)',
  '\ufeff': 'a byte order mark (U+FEFF)',
  '\u00a0': 'a no-break space (U+00A0)',
  '\u201c': 'a typographic quote (U+201C), which is part of the value',
  '\u201d': 'a typographic quote (U+201D), which is part of the value',
  '\ufffd': notUtf8,
};

const mayBeSuspicious = /[\u00a0\u200b\u2060\ufeff\u201c\u201d\ufffd]/;

/** Quotes around a whole value; within text they are intended. */
const quotedValue =
  '(?<=^[ \\t]*(?:- +)*[\\w./-]+:[ \\t]+|^[ \\t]*-[ \\t]+|[{,][ \\t]*[\\w./-]+:[ \\t]+)[\u201c\u201d](?=[^\u201c\u201d\\n]*[\u201c\u201d][ \\t]*(?:[,}\\]]|$))';
const suspicious = new RegExp(`[\u00a0\u200b\u2060\ufeff\ufffd]|${quotedValue}`, 'gm');
