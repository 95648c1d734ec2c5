import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import type { LocatedManifest } from '../../../client/manifests/manifests.js';
import { readInputFile } from '../../work/input/files.js';
import { isKustomization, objectsOfKustomization, patchFilesOf } from '../../work/input/kustomization-patches.js';
import type { ManifestEntries } from '../../work/input/read-manifests.js';

/**
 * Leaves out what belongs to kustomize in folders: kustomizations, their configuration and the patches that they name, which are parts of
 * objects. Files that the user names are kept.
 */
export function withoutKustomizeFiles({ entries, ...others }: ManifestEntries, named: readonly string[], cwd: string): ManifestEntries {
  const files = new Set(entries.map(fileOf));
  const patches = new Set([...files].filter(isKustomization).flatMap(file => patchesOf(file, cwd)));
  const isKustomize = (file: string): boolean => /^(kustomization|kustomizeconfig)\.ya?ml$/i.test(path.basename(file));
  const isLeftOut = (entry: LocatedManifest | CliError): boolean => {
    const file = fileOf(entry);
    if (named.includes(file)) return false;
    return patches.has(path.resolve(cwd, file)) || (entry instanceof CliError && isKustomize(file));
  };
  return { ...others, entries: entries.filter(entry => !isLeftOut(entry)) };
}

function fileOf({ location }: LocatedManifest | CliError): string {
  return location?.file ?? '';
}

/** Returns the absolute paths of a kustomization's patches; none if it can no longer be read. */
function patchesOf(file: string, cwd: string): string[] {
  try {
    const objects = objectsOfKustomization(Buffer.from(readInputFile(file, cwd)).toString('utf8'));
    return patchFilesOf(objects).map(patch => path.resolve(cwd, path.dirname(file), patch));
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}
