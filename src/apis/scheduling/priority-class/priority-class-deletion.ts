import type { DeletionRules } from '../../../apiserver/registry/deletion-rules.js';
import { forbidden } from '../../../kubernetes/status-errors.js';

const resource = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };

/** Source: kubernetes pkg/registry/scheduling/priorityclass/storage. */
export const priorityClassDeletion: DeletionRules = {
  checkName: name => {
    if (name !== 'system-cluster-critical' && name !== 'system-node-critical') return;
    throw forbidden(resource, name, 'this is a system priority class and cannot be deleted');
  },
};
