import type { TextNode } from '../text/text-node.js';
import type { Problem } from './problem.js';

/** Returns a problem for each key that its map has already: kubectl sends the last one. */
export function duplicateKeys(root: TextNode): Problem[] {
  const problems: Problem[] = [];
  const open: TextNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'list') open.push(...node.items);
    if (node.kind !== 'map') continue;
    const keys = new Set<string>();
    for (const { key, keyStart, keyEnd, value } of node.entries) {
      open.push(value);
      if (key === undefined) continue;
      if (keys.has(key)) problems.push(problemAt(key, keyStart, keyEnd));
      keys.add(key);
    }
  }
  return problems;
}

function problemAt(key: string, start: number, end: number): Problem {
  const message = `key ${JSON.stringify(key)} already set in map; kubectl sends the last one`;
  return { start, end, severity: 'error', source: 'webhook-cli', code: 'duplicate-key', message };
}
