import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';

/** StorageVersionMigration. */
export const storageVersionMigrationKind: KindDefinition = { keepsMetadataInStatus: true };
