import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { volumeAttributesClassRules } from './volume-attributes-class-validation.js';

/** VolumeAttributesClass. */
export const volumeAttributesClassKind: KindDefinition = {
  validation: volumeAttributesClassRules,
  checkedTwiceUntil: 'v1.34',
  deletion: { returnsObject: true },
};
