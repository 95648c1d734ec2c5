import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { coreEventRules } from './event-validation.js';

/** Event. */
export const eventKind: KindDefinition = { validation: coreEventRules, nameProblems: () => [], allowsCreateOnUpdate: true };
