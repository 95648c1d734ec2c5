/** Adds line breaks and indentation to compact JSON, like Go's json.Indent; without a newline at the end. */
export function indented(json: string, unit = '  '): string {
  const lineAt = (level: number): string => `\n${unit.repeat(level)}`;
  const text = json.trimEnd();
  let out = '';
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '"') {
      const end = endOfString(text, at);
      out += text.slice(at, end);
      at = end - 1;
    } else if ((character === '{' || character === '[') && '}]'.includes(text[at + 1] ?? '')) {
      out += character + (text[at + 1] ?? '');
      at += 1;
    } else if (character === '{' || character === '[') {
      depth += 1;
      out += character + lineAt(depth);
    } else if (character === '}' || character === ']') {
      depth -= 1;
      out += lineAt(depth) + character;
    } else if (character === ',') out += character + lineAt(depth);
    else out += character === ':' ? ': ' : character;
  }
  return out;
}

/** Returns the offset after the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
