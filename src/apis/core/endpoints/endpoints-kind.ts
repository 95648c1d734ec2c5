import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { endpointsRules } from './endpoints-validation.js';

/** Endpoints. */
export const endpointsKind: KindDefinition = { validation: endpointsRules, allowsCreateOnUpdate: true };
