import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { SuiteProcess } from '../../suites/suite.js';

const extensions = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.py', '.go', '.rb', '.php', '.sh']);
const maxBytes = 1_000_000;
const maxWords = 200;

/**
 * Returns the texts in quotes of the source files that a command names, and of the Go files of its folders: keys of labels and annotations, and
 * values that the webhook compares with. None where the command runs a binary.
 */
export function sourceWords({ command, cwd }: SuiteProcess, base: string): string[] {
  const words = typeof command === 'string' ? command.split(/[\s'"]+/) : command;
  const files = words.flatMap(word => sourcesAt(path.resolve(base, cwd, word)));
  const texts = files.flatMap(file => [...readFileSync(file, 'utf8').matchAll(literal)].map(([, a, b, c]) => a ?? b ?? c ?? ''));
  const found = [...new Set(texts)].filter(text => !/[\s$\\]/.test(text));
  // Keys first: there are fewer of them.
  return [...found.filter(text => text.includes('/')), ...found.filter(text => !text.includes('/'))].slice(0, maxWords);
}

const literal = /"([^"\n]{2,80})"|'([^'\n]{2,80})'|`([^`\n]{2,80})`/g;

function sourcesAt(place: string): string[] {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found?.isFile() === true) return extensions.has(path.extname(place)) && found.size <= maxBytes ? [place] : [];
  if (found?.isDirectory() !== true) return [];
  const files = readdirSync(place).filter(name => name.endsWith('.go') && !name.endsWith('_test.go'));
  return files.map(name => path.join(place, name)).filter(file => statSync(file).size <= maxBytes);
}
