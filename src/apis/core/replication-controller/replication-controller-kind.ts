import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';
import { valueAt } from '../../../go/value.js';
import { templateGatedFields } from '../pod/gated-fields.js';
import { templateWarnings } from '../pod/validation/pod-warnings.js';
import { checkTemplateOf, nameWarning, ofChanged, sortedJson } from '../pod-template/selected-templates.js';
import { replicaSetStatus } from './replica-set-status-validation.js';

/** Source: core/validation ValidateReplicationController. */
const replicationControllerRules: KindRules = {
  create: object => checkReplicationController(object.child('spec')),
  update: ['changes', object => checkReplicationController(object.child('spec'))],
  warnings: (object, old) => [
    ...nameWarning(object, old),
    // Up to v1.37, an update gets the warnings of the stored template.
    ...ofChanged(object, old, () => templateWarnings((object.server.since('v1.38') ? object : (old ?? object)).child('spec', 'template'))),
  ],
};

function checkReplicationController(spec: FieldPath): void {
  checkNonNegative(spec.child('minReadySeconds'));
  const selector = spec.child('selector');
  if (selector.length() === 0) selector.required();
  const replicas = spec.child('replicas');
  if (!replicas.isSet()) replicas.required();
  else checkNonNegative(replicas);
  if (!spec.has('template')) {
    spec.child('template').required();
    return;
  }
  const labels = spec.child('template', 'metadata', 'labels');
  if (![...selector.members()].every(([key, value]) => labels.members().get(key) === value))
    labels.invalid(labels.isSet() ? sortedJson(labels) : null, '`selector` does not match template `labels`');
  checkTemplateOf(spec, 'ReplicationController');
}

/** Source: core/validation ValidateReplicationControllerStatusUpdate; these have no `terminatingReplicas`. */
const replicationControllerStatus = replicaSetStatus;

/** ReplicationController. */
export const replicationControllerKind: KindDefinition = {
  validation: replicationControllerRules,
  checkedTwiceUntil: 'v1.34',
  anyGenerateNameSince: 'v1.35',
  subresources: { status: { update: replicationControllerStatus } },
  gatedFields: templateGatedFields,
  hasGeneration: true,
  resetsStatus: true,
  deletion: { dependents: 'orphaned' },
  fieldLabels: {
    fields: ['metadata.namespace', 'status.replicas'],
    derived: { 'status.replicas': controller => valueAt(controller, 'status', 'replicas') ?? 0n },
  },
};
