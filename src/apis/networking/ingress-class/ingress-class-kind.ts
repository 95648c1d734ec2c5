import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { ingressClassRules } from './ingress-class-validation.js';

/** IngressClass. */
export const ingressClassKind: KindDefinition = { validation: ingressClassRules, hasGeneration: true };
