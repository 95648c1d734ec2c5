import path from 'node:path';

/** Prefix of a folder whose kustomization is built: `kustomize:config/default`. */
export const kustomizePrefix = 'kustomize:';

/** Returns the folder of a `kustomize:` path; undefined for other paths. */
export function kustomizationIn(given: string): string | undefined {
  return given.startsWith(kustomizePrefix) ? given.slice(kustomizePrefix.length) : undefined;
}

/** Returns an input path relative to a folder. Stdin and absolute paths are unchanged; `./kustomize:a` and `./-` stay names of files. */
export function inputPathIn(folder: string, given: string): string {
  const kustomization = kustomizationIn(given);
  if (kustomization !== undefined) return kustomizePrefix + inputPathIn(folder, kustomization);
  return given === '-' || path.isAbsolute(given) ? given : inputFile(path.join(folder, given));
}

/** Returns a path that no command takes for stdin, a folder to build, an address or a flag. */
export function inputFile(name: string): string {
  return /^(-|[a-z]+:)/i.test(name) && !path.isAbsolute(name) ? `./${name}` : name;
}
