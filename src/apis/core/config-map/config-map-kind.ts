import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { configMapRules } from './config-map-validation.js';

/** ConfigMap. */
export const configMapKind: KindDefinition = { validation: configMapRules };
