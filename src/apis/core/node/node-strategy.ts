import { restore } from '../../../apiserver/registry/common-strategy.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { mapAt } from '../../../go/value.js';

/** Source: kubernetes pkg/registry/core/node/strategy.go. */
export const node: Refinement = base => ({
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
