import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One import of one file. */
export interface Import {
  /** Relative to the root, with slashes. */
  readonly file: string;
  /** Target: a file relative to the root, or the name of a library or built-in module. */
  readonly target: string;
  readonly isLibrary: boolean;
  /** Type-only: erased at run time. */
  readonly typesOnly: boolean;
}

/** Every import of the TypeScript files below these folders: static and dynamic ones, re-exports, types. */
export function importsBelow(root: string, folders: readonly string[]): Import[] {
  return folders.flatMap(folder =>
    filesBelow(path.join(root, folder)).flatMap(file =>
      importsOf(path.relative(root, file).replaceAll(path.sep, '/'), readFileSync(file, 'utf8')),
    ),
  );
}

/** The imports of one file's text. */
export function importsOf(file: string, text: string): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const found = [...code.matchAll(statements), ...code.matchAll(calls)];
  return found.map(match => {
    const [, words = '', specifier = ''] = match;
    const isLibrary = !specifier.startsWith('.');
    const target = isLibrary ? libraryOf(specifier) : path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts');
    return { file, target, isLibrary, typesOnly: isTypesOnly(words) };
  });
}

const clause = String.raw`(?:type\s+)?(?:[\w$]+\s*,\s*)?(?:\*(?:\s*as\s+[\w$]+)?|\{[^}]*\}|[\w$]+)`;
const statements = new RegExp(String.raw`^\s*(?:import|export)\s*(?:(${clause})\s*from\s*)?['"]([^'"]+)['"]`, 'gm');
const calls = /\b(import|require)\(\s*['"`]([^'"`]+)['"`]\s*\)/g;

function isTypesOnly(words: string): boolean {
  if (/^\s*type\b/.test(words)) return true;
  const named = /\{([^}]*)\}/.exec(words)?.[1];
  if (named === undefined || /^\s*\w/.test(words)) return false;
  return named.split(',').every(name => name.trim() === '' || /^\s*type\s/.test(name));
}

/** `node:fs` for `node:fs/promises`, `@oclif/core` for `@oclif/core/help`. */
function libraryOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(file);
    return /\.[cm]?[tj]s$/.test(entry.name) ? [file] : [];
  });
}
