import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { persistentVolumeStatus } from './persistent-volume-status-validation.js';
import { persistentVolume } from './persistent-volume-strategy.js';
import { persistentVolumeRules } from './persistent-volume-validation.js';

/** PersistentVolume. */
export const persistentVolumeKind: KindDefinition = {
  refine: persistentVolume,
  validation: persistentVolumeRules,
  subresources: { status: { update: persistentVolumeStatus } },
  resetsStatus: true,
  deletion: { returnsObject: true },
};
