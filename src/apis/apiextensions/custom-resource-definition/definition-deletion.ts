import type { DeletionRules } from '../../../apiserver/registry/deletion-rules.js';
import { ensureMap, listAt, stringAt, toValue } from '../../../go/value.js';

/** A definition is removed once its objects are. Source: apiextensions-apiserver pkg/registry/customresourcedefinition. */
export const definitionDeletion: DeletionRules = {
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
