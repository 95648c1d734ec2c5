import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import type { LocatedManifest } from '../../../client/manifests/manifests.js';
import { isList, stringAt, type Value } from '../../../go/value.js';
import { readInputFile } from '../../work/input/files.js';
import { documentsIn, isKustomization, objectsOfKustomization, patchFilesOf } from '../../work/input/kustomization-patches.js';
import type { ManifestEntries } from '../../work/input/read-manifests.js';

/**
 * Leaves out what belongs to kustomize in folders: kustomizations, their configuration and the patches that they name, which are parts of
 * objects. Files that the user names are kept.
 */
export function withoutKustomizeFiles({ entries, ...others }: ManifestEntries, named: readonly string[], cwd: string): ManifestEntries {
  const files = new Set(entries.map(fileOf));
  const patches = new Set([...files].filter(isKustomization).flatMap(file => patchesOf(file, cwd)));
  const isKustomize = (file: string): boolean => /^(kustomization|kustomizeconfig)\.ya?ml$/i.test(path.basename(file));
  const folders = new Set([...files].filter(isKustomization).map(file => path.dirname(file)));
  const isLeftOut = (entry: LocatedManifest | CliError): boolean => {
    const file = fileOf(entry);
    if (named.includes(file)) return false;
    if (patches.has(path.resolve(cwd, file))) return true;
    // kubebuilder's kustomizations name some patches in comments.
    return entry instanceof CliError && (isKustomize(file) || (folders.has(path.dirname(file)) && isJsonPatch(file, cwd)));
  };
  return { ...others, entries: entries.filter(entry => !isLeftOut(entry)) };
}

function fileOf({ location }: LocatedManifest | CliError): string {
  return location?.file ?? '';
}

/** Returns the absolute paths of a kustomization's patches. */
function patchesOf(file: string, cwd: string): string[] {
  return patchFilesOf(objectsOfKustomization(readKustomizationText(file, cwd))).map(patch => path.resolve(cwd, path.dirname(file), patch));
}

/** Returns true for a file with nothing but operations of a JSON patch. */
function isJsonPatch(file: string, cwd: string): boolean {
  const documents = documentsIn(readKustomizationText(file, cwd));
  const isOperation = (item: Value): boolean => stringAt(item, 'op') !== '' && stringAt(item, 'path') !== '';
  return documents.length > 0 && documents.every(value => isList(value) && value.every(isOperation));
}

/** Returns the text of a file; empty if it can no longer be read. */
function readKustomizationText(file: string, cwd: string): string {
  try {
    return Buffer.from(readInputFile(file, cwd)).toString('utf8');
  } catch (error) {
    if (error instanceof CliError) return '';
    throw error;
  }
}
