import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkHasVersion } from '../required-resource-version.js';

/** Source: core/validation ValidatePersistentVolumeStatusUpdate. */
export const persistentVolumeStatus: readonly UpdateStep[] = ['changes', checkHasVersion];
