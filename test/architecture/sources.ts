import path from 'node:path';
import type { SourceFile } from 'typescript-7/unstable/ast';
import { API, type Checker } from 'typescript-7/unstable/sync';

/** Files of a program as the compiler sees them. */
export interface Sources {
  /** By the path of the file below the root. */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** Knows the types of their expressions. */
  readonly checker: Checker;
  /** Ends the compiler, which is a process of its own. */
  readonly close: () => void;
}

/**
 * Parses the files of a configuration that are below some folders of `root`, with the native compiler: it takes a third of the CPU time of the one in JavaScript. Throws
 * if the configuration does not exist.
 */
export function openSources(root: string, configuration: string, folders: readonly string[]): Sources {
  const compiler = new API({ cwd: root });
  const project = compiler.updateSnapshot({ openProject: path.join(root, configuration) }).getProjects()[0];
  if (project === undefined) throw new Error(`${configuration} is not there`);
  const files = new Map<string, SourceFile>();
  for (const name of project.program.getSourceFileNames()) {
    const file = path.relative(root, name).replaceAll(path.sep, '/');
    const source = folders.some(folder => file.startsWith(`${folder}/`)) ? project.program.getSourceFile(name) : undefined;
    if (source !== undefined) files.set(file, source);
  }
  return { files, checker: project.checker, close: () => compiler.close() };
}
