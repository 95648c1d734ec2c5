import { isBlankAt, isBreakAt, lineEnd } from './line-starts.js';
import type { ScalarStyle } from './text-node.js';

/** Returns the style of the scalar at an offset, which is after its anchor and tag. */
export function styleAt(text: string, start: number, isEmpty: boolean): ScalarStyle {
  const first = text[start];
  if (first === '"') return 'double';
  if (first === "'") return 'single';
  if (isEmpty && first !== '|' && first !== '>') return 'plain';
  if (first === '|') return 'literal';
  return first === '>' ? 'folded' : 'plain';
}

/** Returns the end of a scalar with that value. */
export function scalarEnd(text: string, start: number, { style, value }: { readonly style: ScalarStyle; readonly value: string }): number {
  if (style === 'double') return quoteEnd(text, start, '"');
  if (style === 'single') return quoteEnd(text, start, "'");
  if (style === 'plain') return afterCharacters(text, start, value);
  return Math.max(lineEnd(text, start), afterCharacters(text, lineEnd(text, start), value));
}

function quoteEnd(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (quote === '"' && text[at] === '\\') at += 1;
    else if (text[at] === quote) {
      if (quote === '"' || text[at + 1] !== "'") return at + 1;
      at += 1;
    }
  }
  return text.length;
}

/** Returns the offset after all characters of a value, between which the text may have other white space. */
function afterCharacters(text: string, from: number, value: string): number {
  let end = from;
  let at = from;
  for (let i = 0; i < value.length; i += 1) {
    const code = value.charCodeAt(i);
    if (isBlankAt(code) || isBreakAt(code)) continue;
    while (at < text.length && text.charCodeAt(at) !== code) {
      if (!isBlankAt(text.charCodeAt(at)) && !isBreakAt(text.charCodeAt(at))) return end;
      at += 1;
    }
    at += 1;
    end = Math.min(at, text.length);
  }
  return end;
}

/** Skips anchors and tags before a node's content, which may be on the next lines. */
export function afterProperties(text: string, start: number): number {
  let at = start;
  while (text[at] === '&' || text[at] === '!') {
    while (at < text.length && !isBlankAt(text.charCodeAt(at)) && !isBreakAt(text.charCodeAt(at))) at += 1;
    const end = at;
    while (isBlankAt(text.charCodeAt(at)) || isBreakAt(text.charCodeAt(at))) at += 1;
    if (at >= text.length) return end;
  }
  return at;
}
