import { el } from './dom.js';

/** Longer texts are shown without colors. */
const maxColored = 60_000;

/** Returns the parts of indented JSON with a class for keys, strings and other scalars. */
export function highlighted(text: string): readonly (Node | string)[] {
  if (text.length > maxColored || !/^\s*[{[]/.test(text)) return [text];
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g)) {
    parts.push(text.slice(end, index));
    end = index + token.length;
    const isKey = token.startsWith('"') && text[end] === ':';
    parts.push(el('span', { class: isKey ? 'key' : token.startsWith('"') ? 'string' : 'scalar' }, token));
  }
  return [...parts, text.slice(end)];
}
