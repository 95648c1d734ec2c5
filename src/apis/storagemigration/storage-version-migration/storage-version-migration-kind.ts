import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { storageVersionMigrationRules, storageVersionMigrationStatus } from './storage-version-migration-validation.js';

/** StorageVersionMigration. */
export const storageVersionMigrationKind: KindDefinition = {
  validation: storageVersionMigrationRules,
  subresources: { status: { update: storageVersionMigrationStatus } },
  allowsUnconditionalUpdate: false,
  resetsStatus: true,
  keepsMetadataInStatus: true,
};
