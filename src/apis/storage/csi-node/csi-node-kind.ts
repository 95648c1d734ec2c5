import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { csiNodeRules } from './csi-node-validation.js';

/** CSINode. */
export const csiNodeKind: KindDefinition = { validation: csiNodeRules, allowsUnconditionalUpdate: false };
