import type { Manifest } from '../../../client/manifests/manifests.js';

/** A file of manifests, or the folder of a kustomization that builds them. */
export interface ManifestFile {
  readonly name: string;
  readonly isKustomization?: boolean;
  readonly manifests: readonly Manifest[];
}
