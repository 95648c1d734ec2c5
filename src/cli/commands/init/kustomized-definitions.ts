import path from 'node:path';
import { mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import { filesNamedIn, isKustomization, objectsOfKustomization } from '../../work/input/kustomization-patches.js';
import { hasConversionWebhook } from '../../work/webhooks/configurations.js';
import type { ManifestFile } from './manifest-file.js';
import type { ProjectFiles } from './project-files.js';

/** A kustomization with the definitions that it builds, and the patches of their conversions. */
export interface Kustomization {
  readonly folder: string;
  readonly resources: readonly string[];
  /** Files of patches, those in comments, too. */
  readonly patches: readonly string[];
  /** Definitions of the patches, by name. */
  readonly conversions: ReadonlyMap<string, ValueMap>;
}

/**
 * Replaces files of definitions whose conversion webhook is set by a patch of a kustomization, as kubebuilder writes them, by the folder to build: without the patch, the
 * API server would not call the conversion webhook, and drop fields.
 */
export function withKustomizedConversions(definitions: readonly ManifestFile[], kustomizations: readonly Kustomization[]): ManifestFile[] {
  const folders = new Map<string, ManifestFile>();
  const replaced = definitions.map(file => {
    const found = kustomizations.find(one => one.resources.includes(file.name) && conversionsOf(file, one).length > 0);
    if (found === undefined) return file;
    const manifests = file.manifests.map(manifest => ({ ...manifest, object: withConversion(manifest.object, found) }));
    const known = folders.get(found.folder);
    const built = { name: found.folder, builtBy: 'kustomize' as const, manifests: [...(known?.manifests ?? []), ...manifests] };
    folders.set(found.folder, built);
    return built;
  });
  return [...new Set(replaced.map(file => (file.builtBy !== undefined ? (folders.get(file.name) ?? file) : file)))];
}

/** Reads the kustomizations of a project. */
export function kustomizationsIn(files: ProjectFiles): Kustomization[] {
  return files.names.filter(isKustomization).map(name => {
    const folder = path.posix.dirname(name);
    const named = filesNamedIn(files.text(name));
    const placed = (names: readonly string[]): string[] => names.map(file => path.posix.join(folder, file));
    const patched = placed(named.patches).flatMap(file => objectsOfKustomization(files.text(file)));
    const conversions = patched.filter(hasConversionWebhook).map(object => [stringAt(object, 'metadata', 'name'), object] as const);
    const patches = placed([...named.patches, ...named.disabledPatches]);
    return { folder, resources: placed(named.resources), patches, conversions: new Map(conversions) };
  });
}

function conversionsOf({ manifests }: ManifestFile, { conversions }: Kustomization): ValueMap[] {
  return manifests.flatMap(({ object }) => conversions.get(stringAt(object, 'metadata', 'name')) ?? []);
}

function withConversion(object: ValueMap, { conversions }: Kustomization): ValueMap {
  const conversion = mapAt(conversions.get(stringAt(object, 'metadata', 'name')), 'spec', 'conversion');
  const spec = mapAt(object, 'spec');
  if (conversion === undefined || spec === undefined) return object;
  return new Map([...object, ['spec', new Map([...spec, ['conversion', conversion]])]]);
}
