/** Max runes of all Warning headers together, and of each once that is exceeded. Source: apiserver endpoints/filters/warning.go. */
const totalRunes = 4096;
const itemRunes = 256;

/**
 * Returns the Warning texts that are sent: empty ones, ones with control characters and duplicates are removed, and all are truncated when
 * they are too long together.
 */
export function sentWarnings(texts: readonly string[]): string[] {
  let sent: string[] = [];
  const seen = new Set<string>();
  let written = 0;
  let truncating = false;
  for (const text of texts) {
    // An object can have hundreds of warnings, most of which are not sent.
    if (truncating && written >= totalRunes) break;
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
