import type { DeletionRules } from '../../../apiserver/registry/deletion-rules.js';

/** A deletion that does not set a propagation policy orphans the pods, with a warning. Source: kubernetes pkg/registry/batch/job. */
export const jobDeletion: DeletionRules = {
  dependents: 'orphaned',
  warnings: (options, version) => {
    const isSilent = options.get('propagationPolicy') === undefined && options.get('orphanDependents') === undefined;
    return version === 'v1' && isSilent ? [orphansWarning] : [];
  },
};

const orphansWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';
