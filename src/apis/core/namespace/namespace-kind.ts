import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { dns1123LabelProblems } from '../../../kubernetes/name-rules.js';
import { namespaceDeletion } from './namespace-deletion.js';
import { namespaceFinalize, namespaceStatus } from './namespace-status-validation.js';
import { namespace } from './namespace-strategy.js';
import { namespaceRules } from './namespace-validation.js';

/** Namespace. */
export const namespaceKind: KindDefinition = {
  refine: namespace,
  validation: namespaceRules,
  nameProblems: dns1123LabelProblems,
  subresources: { status: { update: namespaceStatus }, finalize: { update: namespaceFinalize } },
  resetsStatus: true,
  deletion: namespaceDeletion,
};
