import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { systemReason } from '../../../files/system-reason.js';
import { withoutComments } from './comments.js';

/** The files of a project. */
export interface ProjectFiles {
  /** Absolute. */
  readonly folder: string;
  /** Relative to the folder, with slashes, those of outer folders first. */
  readonly names: readonly string[];
  /** Returns the text of a file, of a source without its comments; empty for one that is missing, or too long to be written by hand. */
  readonly text: (name: string) => string;
}

const maxFiles = 20_000;
/** Of a file with definitions alone: those of many kinds are longer than what is written by hand. */
const maxDefinitionBytes = 4 * 1024 * 1024;
const maxBytes = 1024 * 1024;
const foreignFolders = /^(node_modules|vendor|target|__pycache__|__snapshots__|venv|third_party|\..*)$/;

/** Lists the files of a project without dependencies and hidden folders, except those of pipelines. Throws CliError for a missing folder. */
export function projectFiles(folder: string): ProjectFiles {
  const names: string[] = [];
  const waiting = [''];
  for (const inner of waiting) {
    for (const entry of entriesOf(path.join(folder, inner))) {
      const name = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.isFile()) names.push(name);
      else if (entry.isDirectory() && !foreignFolders.test(entry.name)) waiting.push(name);
    }
    if (names.length > maxFiles) break;
  }
  return { folder, names, text: name => withoutComments(name, projectFileText(folder, name)) };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw new CliError('unreadable-file', `cannot be read: ${systemReason(error)}`, { location: { file: folder }, cause: error });
  }
}

function projectFileText(folder: string, name: string): string {
  const file = path.join(folder, name);
  const mayBeLong = /\.ya?ml$/.test(name) && !isAside(name);
  try {
    const { size } = statSync(file);
    if (size > (mayBeLong ? maxDefinitionBytes : maxBytes)) return '';
    const text = readFileSync(file, 'utf8');
    return size > maxBytes && /^kind: (?!CustomResourceDefinition\s*$)/m.test(text) ? '' : text;
  } catch {
    return '';
  }
}

/** Reports whether a file is one of tests, documentation or bundles, which may be of other versions. */
export function isAside(name: string): boolean {
  return /(^|\/)(tests?|testdata|e2e|docs?|hack|examples?|demo|dist|bundle|releases?)\//.test(name);
}
