import type { DeletionRules } from '../../../apiserver/registry/deletion-rules.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { forbidden } from '../../../kubernetes/status-errors.js';
import { priorityClassRules } from './priority-class-validation.js';

const resource = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };

/** Source: kubernetes pkg/registry/scheduling/priorityclass/storage. */
const priorityClassDeletion: DeletionRules = {
  checkName: name => {
    if (name !== 'system-cluster-critical' && name !== 'system-node-critical') return;
    throw forbidden(resource, name, 'this is a system priority class and cannot be deleted');
  },
};

/** Strategy of priority classes: the value is immutable, and the generation is not raised after creation. */
const priorityClass: Refinement = base => ({ ...base, prepareForUpdate: () => undefined });

/** PriorityClass. */
export const priorityClassKind: KindDefinition = {
  refine: priorityClass,
  validation: priorityClassRules,
  hasGeneration: true,
  deletion: priorityClassDeletion,
};
