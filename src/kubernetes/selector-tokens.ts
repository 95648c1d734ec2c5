/** Token of a selector; `end` follows the last one. */
export type SelectorToken = { readonly type: 'identifier' | 'symbol' | 'keyword' | 'end'; readonly text: string };

/** Returns the tokens of a selector. A NUL ends it, as in Go. Source: apimachinery labels Lexer. */
export function selectorTokens(selector: string): readonly SelectorToken[] {
  const end = selector.indexOf('\0');
  const tokens: SelectorToken[] = [];
  for (const match of (end < 0 ? selector : selector.slice(0, end)).matchAll(/==|!=|[=!(),<>]|[^=!(),<> \t\r\n]+/g)) {
    const text = match[0];
    tokens.push({ type: keywords.has(text) ? 'keyword' : symbols.test(text) ? 'symbol' : 'identifier', text });
  }
  return [...tokens, { type: 'end', text: '' }];
}

const keywords = new Set(['in', 'notin']);
const symbols = /^[=!(),<>]/;
