import type { ProjectFiles } from './project-files.js';

/** What `init` reads of a package.json. */
export interface PackageJson {
  readonly scripts: ReadonlyMap<string, unknown>;
  readonly dependencies: ReadonlyMap<string, unknown>;
  readonly devDependencies: ReadonlyMap<string, unknown>;
  readonly engines: ReadonlyMap<string, unknown>;
}

/** Returns the package.json of a folder, without what has another form; undefined if there is none. A file that is not JSON has nothing. */
export function packageJson({ names, text }: Pick<ProjectFiles, 'names' | 'text'>, file = 'package.json'): PackageJson | undefined {
  if (!names.includes(file)) return undefined;
  const manifest = membersOf(jsonIn(text(file)));
  const part = (name: string): ReadonlyMap<string, unknown> => membersOf(manifest.get(name));
  return {
    scripts: part('scripts'),
    dependencies: part('dependencies'),
    devDependencies: part('devDependencies'),
    engines: part('engines'),
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []);
}
