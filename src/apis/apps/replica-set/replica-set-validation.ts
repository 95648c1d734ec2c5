import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { at, type Place } from '../../../apiserver/registry/validation/place.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';
import { templateWarnings } from '../../core/pod/validation/pod-warnings.js';
import { checkRequiredSelector, checkSelectedTemplate, keepSelector, nameWarning, ofChanged } from '../selected-templates.js';

/** Source: apps/validation ValidateReplicaSet. */
export const replicaSetRules: KindRules = {
  create: object => checkReplicaSet(at(object, 'spec')),
  update: ['changes', object => checkReplicaSet(at(object, 'spec')), (object, old) => keepSelector(object, old, 'apps/v1.ReplicaSetSpec')],
  warnings: (object, old) => [
    ...nameWarning(object, old),
    ...ofChanged(object, old, () => templateWarnings(at(object, 'spec', 'template'))),
  ],
};

function checkReplicaSet(spec: Place): void {
  checkNonNegative(at(spec, 'replicas'));
  checkNonNegative(at(spec, 'minReadySeconds'));
  checkRequiredSelector(spec, 'deployment');
  checkSelectedTemplate(spec, 'ReplicaSet');
}
