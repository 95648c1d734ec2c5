import path from 'node:path';

/** Prefix of a folder whose kustomization is built: `kustomize:config/default`. */
export const kustomizePrefix = 'kustomize:';

/** Prefix of a chart that is rendered, with files of values after it: `helm:charts/guard:ci-values.yaml`. */
export const helmPrefix = 'helm:';

/** A path whose manifests a program of the user prints. */
export interface BuiltPath {
  readonly prefix: typeof kustomizePrefix | typeof helmPrefix;
  /** Folder of the kustomization or the chart, or an archive of a chart. */
  readonly folder: string;
  /** Files of values, in order. */
  readonly values: readonly string[];
}

/** Returns the parts of a `kustomize:` or `helm:` path; undefined for other paths. */
export function builtPathIn(given: string): BuiltPath | undefined {
  if (given.startsWith(kustomizePrefix)) return { prefix: kustomizePrefix, folder: given.slice(kustomizePrefix.length), values: [] };
  if (!given.startsWith(helmPrefix)) return undefined;
  // A colon before a slash belongs to a drive of Windows, or to an address.
  const [folder = '', ...values] = given.slice(helmPrefix.length).split(/:(?![\\/])/);
  return { prefix: helmPrefix, folder, values };
}

/** Returns the path of its parts. */
export function builtPath({ prefix, folder, values }: BuiltPath): string {
  return prefix + [folder, ...values].join(':');
}

/** Returns an input path relative to a folder. Stdin and absolute paths are unchanged; `./kustomize:a` and `./-` stay names of files. */
export function inputPathIn(folder: string, given: string): string {
  const built = builtPathIn(given);
  if (built !== undefined)
    return builtPath({ ...built, folder: inputPathIn(folder, built.folder), values: built.values.map(file => inputPathIn(folder, file)) });
  return given === '-' || path.isAbsolute(given) ? given : inputFile(path.join(folder, given));
}

/** Returns a path that no command takes for stdin, a folder to build, an address or a flag. */
export function inputFile(name: string): string {
  return /^(-|[a-z]+:)/i.test(name) && !path.isAbsolute(name) ? `./${name}` : name;
}
