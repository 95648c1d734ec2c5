import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import type { LocatedManifest } from '../../../client/manifests/manifests.js';
import { isList, stringAt, type Value } from '../../../go/value.js';
import { readInputFile } from '../../work/input/files.js';
import {
  documentsIn,
  filesNamedIn,
  isKustomization,
  isPatchOfDefinition,
  type NamedFiles,
} from '../../work/input/kustomization-patches.js';
import type { ManifestEntries } from '../../work/input/read-manifests.js';
import { hasConversionWebhook } from '../../work/webhooks/configurations.js';

/** Manifests of files, and what patches of their kustomizations say. */
export interface KustomizedEntries extends ManifestEntries {
  /** Names of the definitions that patches give a conversion webhook. */
  readonly convertedByPatches: ReadonlySet<string>;
  /** Folders of kustomizations with patches, as in the paths of the files. */
  readonly patching: readonly string[];
}

/**
 * Leaves out what belongs to kustomize in folders: kustomizations, their configuration and patches, which are parts of objects. Files that
 * the user names are kept.
 */
export function withoutKustomizeFiles({ entries, ...others }: ManifestEntries, named: readonly string[], cwd: string): KustomizedEntries {
  const files = new Set(entries.map(fileOf));
  const kustomizations = [...files].filter(isKustomization).map(file => kustomizationIn(file, cwd));
  const patches = new Set(kustomizations.flatMap(kustomization => kustomization.patches));
  const parts = new Set([...patches, ...kustomizations.flatMap(({ disabledPatches }) => disabledPatches)]);
  const configurations = new Set(kustomizations.flatMap(kustomization => kustomization.configurations));
  const folders = new Set(kustomizations.map(({ folder }) => path.resolve(cwd, folder)));
  const patchFolders = new Set([...parts].map(file => path.dirname(file)));
  const isKustomize = (file: string): boolean => /^(kustomization|kustomizeconfig)\.ya?ml$/i.test(path.basename(file));
  const isLeftOut = (entry: LocatedManifest | CliError): boolean => {
    const file = fileOf(entry);
    const place = path.resolve(cwd, file);
    if (named.includes(file)) return false;
    if (parts.has(place)) return true;
    // Beside patches there may be some that no kustomization names any more.
    if (!(entry instanceof CliError)) return patchFolders.has(path.dirname(place)) && isPatchOfDefinition(entry.object);
    return isKustomize(file) || configurations.has(place) || (folders.has(path.dirname(place)) && isJsonPatch(file, cwd));
  };
  const converted = entries.flatMap(entry => {
    if (entry instanceof CliError || !patches.has(path.resolve(cwd, fileOf(entry))) || !hasConversionWebhook(entry.object)) return [];
    return [stringAt(entry.object, 'metadata', 'name')];
  });
  const patching = kustomizations.filter(kustomization => kustomization.patches.length > 0).map(({ folder }) => folder);
  return { ...others, entries: entries.filter(entry => !isLeftOut(entry)), convertedByPatches: new Set(converted), patching };
}

/** The files that a kustomization names: absolute paths. */
interface Kustomization extends NamedFiles {
  /** As in the path of the file. */
  readonly folder: string;
}

function kustomizationIn(file: string, cwd: string): Kustomization {
  const folder = path.dirname(file);
  const { resources, patches, disabledPatches, configurations } = filesNamedIn(readKustomizationText(file, cwd));
  const placed = (names: readonly string[]): string[] => names.map(name => path.resolve(cwd, folder, name));
  return {
    folder,
    resources: placed(resources),
    patches: placed(patches),
    disabledPatches: placed(disabledPatches),
    configurations: placed(configurations),
  };
}

function fileOf({ location }: LocatedManifest | CliError): string {
  return location?.file ?? '';
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
