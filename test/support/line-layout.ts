/**
 * Lays out JSON with a line for each entry of the lists and objects in the document, so that a changed case is a changed line; a document that is a
 * list has a line for each of its elements. Everything but the white space between tokens stays as it is, also the digits of numbers.
 */
export function layOutLines(json: string): string {
  const open = json.trimStart()[0] ?? '';
  const levels = open === '[' ? 1 : 2;
  let depth = 0;
  let text = '';
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\[\s\S])*"|[^\s"]/g)) {
    if (token === '}' || token === ']') {
      // An empty one stays on its line.
      if (depth <= levels && !/[[{]\n$/.test(text)) text += '\n';
      else if (depth <= levels) text = text.slice(0, -1);
      depth -= 1;
    }
    text += token;
    if (token === '{' || token === '[') depth += 1;
    if (depth <= levels && (token === '{' || token === '[' || token === ',')) text += '\n';
  }
  return `${text}\n`;
}
