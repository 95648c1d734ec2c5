import { restore } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { mapAt, valueAt } from '../../../go/value.js';
import { nodeRules, nodeStatusRules } from './node-validation.js';

/** Source: kubernetes pkg/registry/core/node/strategy.go. */
const node: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    mapAt(object, 'spec')?.delete('configSource');
    const status = mapAt(object, 'status');
    status?.delete('config');
    // Not in updates: those of the node keep the stored status, and those of its status keep the field.
    if (!context.server.isEnabled('NodeDeclaredFeatures')) status?.delete('declaredFeatures');
  },
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource === '') restore(object, old, 'status');
    // Fields that kubelets no longer read are only kept when already set.
    if (mapAt(old, 'spec', 'configSource') === undefined) mapAt(object, 'spec')?.delete('configSource');
    if (mapAt(old, 'status', 'config') === undefined) mapAt(object, 'status')?.delete('config');
  },
});

/** Node. */
export const nodeKind: KindDefinition = {
  refine: node,
  validation: nodeRules,
  subresources: { status: nodeStatusRules },
  gatedFields: [{ gates: ['InPlacePodVerticalScalingSchedulerPreemption'], paths: ['spec.podPreemptionPolicy'] }],
  fieldLabels: {
    fields: ['spec.unschedulable'],
    derived: { 'spec.unschedulable': object => valueAt(object, 'spec', 'unschedulable') === true },
  },
};
