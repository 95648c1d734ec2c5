import type { DocumentText } from '../text/file-documents.js';
import type { TextNode } from '../text/text-node.js';
import type { TextProblem } from './problem.js';

/** Returns a problem for each key that its map has already, with the API server's words for the format: kubectl sends the last one. */
export function duplicateKeys(root: TextNode, format: DocumentText['format']): TextProblem[] {
  const problems: TextProblem[] = [];
  const open: { readonly node: TextNode; readonly path: string }[] = [{ node: root, path: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, path } = next;
    if (node.kind === 'list') open.push(...node.items.map((item, index) => ({ node: item, path: `${path}[${index}]` })));
    if (node.kind !== 'map') continue;
    const keys = new Set<string>();
    for (const { key, keyStart, keyEnd, value } of node.entries) {
      const field = path === '' ? `${key}` : `${path}.${key}`;
      open.push({ node: value, path: field });
      if (key === undefined) continue;
      const message = format === 'json' ? `duplicate field ${JSON.stringify(field)}` : `key ${JSON.stringify(key)} already set in map`;
      if (keys.has(key)) problems.push(problemAt(message, keyStart, keyEnd));
      keys.add(key);
    }
  }
  return problems;
}

function problemAt(message: string, start: number, end: number): TextProblem {
  return { start, end, severity: 'error', source: 'webhook-cli', code: 'duplicate-key', message: `${message}; kubectl sends the last one` };
}
