import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { declared } from '../../../apiserver/registry/validation/declared.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addInvalid, addRequired, at, hasSet, isSet, lengthOf, mapOf } from '../../../apiserver/registry/validation/place.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';
import { valueAt } from '../../../go/value.js';
import { templateGatedFields } from '../pod/gated-fields.js';
import { templateWarnings } from '../pod/validation/pod-warnings.js';
import { checkTemplateOf, nameWarning, ofChanged, sortedJson } from '../pod-template/selected-templates.js';
import { replicaSetStatus } from './replica-set-status-validation.js';

/** Source: core/validation ValidateReplicationController. */
const replicationControllerRules: KindRules = {
  create: object => checkReplicationController(at(object, 'spec')),
  update: ['changes', (object, old) => checkReplicationController(at(object, 'spec'), at(old, 'spec'))],
  warnings: (object, old) => [
    ...nameWarning(object, old),
    // Up to v1.37, an update gets the warnings of the stored template.
    ...ofChanged(object, old, () => templateWarnings(at(object.server.since('v1.38') ? object : (old ?? object), 'spec', 'template'))),
  ],
};

function checkReplicationController(spec: Place, old?: Place): void {
  const ready = at(spec, 'minReadySeconds');
  declared(ready, old && at(old, 'minReadySeconds'), () => checkNonNegative(ready));
  const selector = at(spec, 'selector');
  if (lengthOf(selector) === 0) addRequired(selector);
  const replicas = at(spec, 'replicas');
  declared(replicas, old && at(old, 'replicas'), () => {
    if (!isSet(replicas)) addRequired(replicas);
    else checkNonNegative(replicas);
  });
  if (!hasSet(spec, 'template')) {
    addRequired(at(spec, 'template'));
    return;
  }
  const labels = at(spec, 'template', 'metadata', 'labels');
  if (![...mapOf(selector)].every(([key, value]) => mapOf(labels).get(key) === value))
    addInvalid(labels, '`selector` does not match template `labels`', isSet(labels) ? sortedJson(labels) : null);
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
