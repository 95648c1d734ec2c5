import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { storageVersionNameProblems, storageVersionRules } from './storage-version-validation.js';

/** StorageVersion. */
export const storageVersionKind: KindDefinition = {
  validation: storageVersionRules,
  nameProblems: storageVersionNameProblems,
  resetsStatus: true,
  keepsMetadataInStatus: true,
};
