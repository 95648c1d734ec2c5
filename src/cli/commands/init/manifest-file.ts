import type { Manifest } from '../../../client/manifests/manifests.js';

/** A file of manifests, or the folder of a kustomization or a chart that they are built from. */
export interface ManifestFile {
  readonly name: string;
  readonly builtBy?: 'kustomize' | 'helm';
  readonly manifests: readonly Manifest[];
}
