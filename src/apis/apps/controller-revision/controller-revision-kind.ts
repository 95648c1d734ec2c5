import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { controllerRevisionRules } from './controller-revision-validation.js';

/** ControllerRevision. */
export const controllerRevisionKind: KindDefinition = { validation: controllerRevisionRules };
