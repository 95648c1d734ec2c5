import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { csiNodeRules } from './csi-node-validation.js';

/** CSINode. */
export const csiNodeKind: KindDefinition = {
  validation: csiNodeRules,
  checkedTwiceUntil: 'v1.35',
  allowsUnconditionalUpdate: false,
};
