import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';

/** APIService. */
export const apiServiceKind: KindDefinition = { allowsUnconditionalUpdate: false };
