/** Runes that Warning headers may hold together, and one of them once that is used up. Source: apiserver endpoints/filters/warning.go. */
const totalRunes = 4096;
const itemRunes = 256;

/**
 * The Warning texts a client gets, of those the call produced: no empty ones, none with control characters, none twice,
 * cut when they are too many together.
 */
export function sentWarnings(texts: readonly string[]): string[] {
  let sent: string[] = [];
  const seen = new Set<string>();
  let written = 0;
  let truncating = false;
  for (const text of texts) {
    if (text === '' || hasControlCharacters(text) || seen.has(text)) continue;
    seen.add(text);
    const runes = [...text];
    if (!truncating && written + runes.length <= totalRunes) {
      sent.push(text);
      written += runes.length;
      continue;
    }
    if (!truncating) {
      truncating = true;
      sent = sent.map(truncated);
      written = sent.reduce((sum, t) => sum + [...t].length, 0);
    }
    if (written < totalRunes) {
      const cut = truncated(text);
      sent.push(cut);
      written += [...cut].length;
    }
  }
  return sent;
}

function truncated(text: string): string {
  return [...text].slice(0, itemRunes).join('');
}

function hasControlCharacters(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
