import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { readRegularFile } from '../../../files/read-file.js';
import { textWithoutSecrets } from '../../../redaction/text-secrets.js';
import type { SuiteProcess } from '../../../suites/suite.js';

const extensions = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.py', '.go', '.rb', '.php', '.sh']);
const maxBytes = 1_000_000;
const maxWords = 200;
const maxNumbers = 30;
const maxFiles = 20;

/**
 * Returns the texts in quotes, the members of labels and annotations, and the numbers of the source files that a command names, of those in the same folders, and of the Go files of
 * folders and binaries that it names: keys of labels and annotations, values that the webhook compares with, limits.
 */
export function sourceWords({ command, cwd }: SuiteProcess, base: string): string[] {
  const argv = typeof command === 'string' ? command.split(/[\s'"]+/) : command;
  const files = new Set(argv.flatMap(word => sourcesAt(path.resolve(base, cwd, word))));
  const texts = [...files].slice(0, maxFiles).map(sourceText);
  const quoted = texts.flatMap(text => [...text.matchAll(literal)].map(([, a, b, c]) => a ?? b ?? c ?? ''));
  const members = texts.flatMap(text => [...text.matchAll(metadataMember)].flatMap(([, key]) => key ?? []));
  const found = [...new Set([...members, ...quoted])].filter(text => !/[\s$\\]/.test(text) && textWithoutSecrets(text) === text);
  const numbers = new Set(texts.flatMap(text => [...text.matchAll(/(?<![\w.])[1-9]\d{1,7}(?![\w.])/g)].map(([number]) => number)));
  // Keys first: there are fewer of them.
  return [
    ...[...found.filter(text => text.includes('/')), ...found.filter(text => !text.includes('/'))].slice(0, maxWords),
    ...[...numbers].slice(0, maxNumbers),
  ];
}

/** Languages in which objects have members read such keys without quotes. */
const metadataMember = /\b(?:labels|annotations)\s*(?:\?\.|!?\.)\s*([A-Za-z_]\w*)\b(?!\s*\()/g;
const literal = /"([^"\n]{2,80})"|'([^'\n]{2,80})'|`([^`\n]{2,80})`/g;

/** A source that cannot be read, or is too large for one, gives no words. */
function sourceText(file: string): string {
  try {
    return statSync(file).size > maxBytes ? '' : readRegularFile(file).toString('utf8');
  } catch {
    return '';
  }
}

/** Returns the file and its neighbors in the same language; the Go files of a folder, or beside a binary. */
function sourcesAt(place: string): string[] {
  const found = statSync(place, { throwIfNoEntry: false });
  const own = path.extname(place);
  if (found?.isDirectory() === true) return filesIn(place, '.go');
  if (found?.isFile() !== true) return [];
  if (extensions.has(own)) return [place, ...filesIn(path.dirname(place), own)];
  return (found.mode & executable) === 0 ? [] : filesIn(path.dirname(place), '.go');
}

const executable = 0o111;

function filesIn(folder: string, extension: string): string[] {
  const files = readdirSync(folder).filter(name => name.endsWith(extension) && !/[._]test\.[a-z]+$/.test(name));
  // A link may lead nowhere.
  return files.map(name => path.join(folder, name)).filter(file => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}
