import type { DeletionRules } from '../../../apiserver/registry/deletion-rules.js';
import type { FieldLabels, KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Value, ValueMap } from '../../../go/value.js';
import { listAt, stringAt, valueAt } from '../../../go/value.js';
import { podGatedFields } from './gated-fields.js';
import { pod } from './pod-strategy.js';
import { ephemeralContainers } from './subresources/ephemeral-containers.js';
import { podStatus, podStatusWarnings } from './subresources/pod-status.js';
import { resize } from './subresources/resize.js';
import { podRules } from './validation/pod-validation.js';

/** Pods are deleted gracefully. */
const podDeletion: DeletionRules = { returnsObject: true, gracePeriod };

/** Source: kubernetes pkg/registry/core/pod/strategy.go CheckGracefulDelete. */
function gracePeriod(pod: ValueMap, asked: Value | undefined): bigint {
  const own = valueAt(pod, 'spec', 'terminationGracePeriodSeconds');
  const wanted = typeof asked === 'bigint' ? asked : typeof own === 'bigint' ? own : 0n;
  const phase = stringAt(pod, 'status', 'phase');
  if (stringAt(pod, 'spec', 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed') return 0n;
  return wanted < 0n ? 1n : wanted;
}

const podFieldLabels: FieldLabels = {
  fields: [
    'metadata.namespace',
    ...['nodeName', 'restartPolicy', 'schedulerName', 'serviceAccountName', 'hostNetwork', 'host'].map(name => `spec.${name}`),
    ...['phase', 'podIP', 'podIPs', 'nominatedNodeName'].map(name => `status.${name}`),
  ],
  derived: {
    'spec.host': pod => stringAt(pod, 'spec', 'nodeName'),
    'spec.hostNetwork': pod => valueAt(pod, 'spec', 'hostNetwork') === true,
    'status.podIP': pod => stringAt(listAt(pod, 'status', 'podIPs')[0], 'ip') || stringAt(pod, 'status', 'podIP'),
    // Selectors may use it, but objects have no such field.
    'status.podIPs': () => '',
  },
};

/** Pod. */
export const podKind: KindDefinition = {
  refine: pod,
  validation: podRules,
  subresources: {
    status: { update: podStatus, warnings: podStatusWarnings },
    ephemeralcontainers: { update: ephemeralContainers },
    resize: { update: resize },
  },
  gatedFields: podGatedFields,
  hasGeneration: true,
  resetsStatus: true,
  deletion: podDeletion,
  fieldLabels: podFieldLabels,
  resetFields: { status: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'] },
};
