import path from 'node:path';

/** Prefix of a folder whose kustomization is built: `kustomize:config/default`. */
export const kustomizePrefix = 'kustomize:';

/** Returns the folder of a `kustomize:` path; undefined for other paths. */
export function kustomizationIn(given: string): string | undefined {
  return given.startsWith(kustomizePrefix) ? given.slice(kustomizePrefix.length) : undefined;
}

/** Returns an input path relative to a folder. Stdin and absolute paths are unchanged. */
export function inputPathIn(folder: string, given: string): string {
  const kustomization = kustomizationIn(given);
  if (kustomization !== undefined) return kustomizePrefix + inputPathIn(folder, kustomization);
  return given === '-' || path.isAbsolute(given) ? given : path.join(folder, given);
}
