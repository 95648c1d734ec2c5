import { packageJson } from './package-json.js';
import type { Language } from './project.js';
import type { ProjectFiles } from './project-files.js';

/** Oldest minors that this program, or the images with its Node, are for. */
const oldest = { node: 22, go: 24, python: 9 } as const;

/**
 * Returns the version of the language that a project asks for, as images and actions are tagged: `1.26` of Go, `3.13` of Python, `22` of Node; undefined if it does
 * not say. An older one than images exist for is replaced by the oldest.
 */
export function languageVersion(language: Language | undefined, { names, text }: ProjectFiles, folder = ''): string | undefined {
  const read = (name: string): string => (names.includes(folder + name) ? text(folder + name) : '');
  if (language === 'go') {
    const minor = /^go 1\.(\d+)/m.exec(read('go.mod'))?.[1];
    return minor === undefined ? undefined : `1.${Math.max(Number(minor), oldest.go)}`;
  }
  if (language === 'python') {
    const minor =
      /^\s*3\.(\d+)/.exec(read('.python-version'))?.[1] ?? /^requires-python\s*=\s*["'][^"'\d]*3\.(\d+)/m.exec(read('pyproject.toml'))?.[1];
    return minor === undefined ? undefined : `3.${Math.max(Number(minor), oldest.python)}`;
  }
  if (language !== 'node') return undefined;
  const engines = /^\D*(\d+)/.exec(String(packageJson({ names, text }, `${folder}package.json`)?.engines.get('node') ?? ''))?.[1];
  const major = /^\s*v?(\d+)/.exec(read('.nvmrc'))?.[1] ?? engines;
  return major === undefined ? undefined : String(Math.max(Number(major), oldest.node));
}
