import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { secretRules } from './secret-validation.js';

/** Secret. */
export const secretKind: KindDefinition = { validation: secretRules };
