import type { DeletionRules } from '../../../apiserver/registry/deletion-rules.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { ValueMap } from '../../../go/value.js';
import { ensureMap, mapAt, stringAt, valueAt } from '../../../go/value.js';
import { templateGatedFields } from '../../core/pod/gated-fields.js';
import { jobStatus } from './job-status-validation.js';
import { jobRules } from './job-validation.js';

/**
 * Strategy of jobs: a job selects its pods by its own uid, unless that is disabled. Source: kubernetes pkg/registry/batch/job/strategy.go.
 */
const job: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    if (mapAt(object, 'spec')?.get('manualSelector') !== true) generateSelector(object);
  },
});

function generateSelector(object: ValueMap): void {
  const spec = ensureMap(object, 'spec');
  const name = stringAt(object, 'metadata', 'name');
  const uid = stringAt(object, 'metadata', 'uid');
  const labels = ensureMap(ensureMap(ensureMap(spec, 'template'), 'metadata'), 'labels');
  const wanted = {
    'batch.kubernetes.io/job-name': name,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'controller-uid': uid,
  };
  for (const [key, value] of Object.entries(wanted)) if (!labels.has(key)) labels.set(key, value);
  const selected = ensureMap(ensureMap(spec, 'selector'), 'matchLabels');
  if (!selected.has('batch.kubernetes.io/controller-uid')) selected.set('batch.kubernetes.io/controller-uid', uid);
}

/** A deletion that does not set a propagation policy orphans the pods, with a warning. Source: kubernetes pkg/registry/batch/job. */
const jobDeletion: DeletionRules = {
  dependents: 'orphaned',
  warnings: (options, version) => {
    const isSilent = options.get('propagationPolicy') === undefined && options.get('orphanDependents') === undefined;
    return version === 'v1' && isSilent ? [orphansWarning] : [];
  },
};

const orphansWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/** Job. */
export const jobKind: KindDefinition = {
  refine: job,
  validation: jobRules,
  subresources: { status: { update: jobStatus } },
  gatedFields: [...templateGatedFields, { gates: ['WorkloadWithJob'], paths: ['spec.scheduling'] }],
  hasGeneration: true,
  resetsStatus: true,
  checkedTwiceUntil: 'v1.36',
  deletion: jobDeletion,
  fieldLabels: {
    fields: ['metadata.namespace', 'status.successful'],
    refusal: field => `field label "${field}" not supported for Job`,
    derived: { 'status.successful': object => valueAt(object, 'status', 'succeeded') ?? 0n },
  },
};
