import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { storageClassRules } from './storage-class-validation.js';

/** StorageClass. */
export const storageClassKind: KindDefinition = { validation: storageClassRules, deletion: { returnsObject: true } };
