import type { DeletionRules } from '../../../apiserver/registry/deletion-rules.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { ValueMap } from '../../../go/value.js';
import { ensureMap, listAt, stringAt, toValue } from '../../../go/value.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { customResourceDefinition } from './custom-resource-definition-strategy.js';

/** A definition is removed once its objects are. Source: apiextensions-apiserver pkg/registry/customresourcedefinition. */
const definitionDeletion: DeletionRules = {
  firstMark: {
    mark: (object, _options, now) => {
      const metadata = ensureMap(object, 'metadata');
      const finalizers = listAt(metadata, 'finalizers');
      if (!finalizers.includes(cleanupFinalizer)) metadata.set('finalizers', [...finalizers, cleanupFinalizer]);
      const status = ensureMap(object, 'status');
      const conditions = listAt(status, 'conditions').filter(c => stringAt(c, 'type') !== 'Terminating');
      status.set('conditions', [...conditions, toValue({ ...terminatingCondition, lastTransitionTime: now })]);
    },
  },
};

const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

const terminatingCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};

/** CustomResourceDefinition. */
export const customResourceDefinitionKind: KindDefinition = {
  refine: customResourceDefinition,
  nameProblems: definitionNameProblems,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  resetsStatus: true,
  validatedByStrategy: true,
  deletion: definitionDeletion,
};

/**
 * Returns the problems of a definition's name, which consists of its plural and group. Source: apiextensions-apiserver validation.go
 * ValidateCustomResourceDefinition.
 */
function definitionNameProblems(name: string, definition: ValueMap): string[] {
  const expected = `${stringAt(definition, 'spec', 'names', 'plural')}.${stringAt(definition, 'spec', 'group')}`;
  const problems = dns1123SubdomainProblems(name);
  return name === expected ? problems : [...problems, 'must be spec.names.plural+"."+spec.group'];
}
