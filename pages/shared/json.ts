import { el } from './dom.js';

/** Indents JSON token by token, so that numbers and escapes stay as they were sent. Other texts are returned as they are. */
export function indented(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  return text.trim().replace(tokens, (token, at: number, whole: string) => {
    if (token === '{' || token === '[') {
      depth += 1;
      return /^\s*[}\]]/.test(whole.slice(at + 1, at + 100)) ? token : token + line();
    }
    if (token === '}' || token === ']') {
      depth -= 1;
      return /[{[]\s*$/.test(whole.slice(Math.max(at - 100, 0), at)) ? token : line() + token;
    }
    if (token === ',') return token + line();
    return token === ':' ? ': ' : token.trim();
  });
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+|\s+/g;

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
