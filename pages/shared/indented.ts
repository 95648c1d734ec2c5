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
