import { restore } from '../../apiserver/registry/generic/common-strategy.js';
import type { Refinement } from '../../apiserver/registry/strategy.js';
import { ensureMap, mapAt } from '../../go/value.js';

/** Strategy of flow control settings: an update of /status keeps the metadata. Source: kubernetes pkg/registry/flowcontrol. */
export const flowControl: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource !== 'status') return;
    const managedFields = mapAt(object, 'metadata')?.get('managedFields');
    restore(object, old, 'metadata');
    if (managedFields !== undefined) ensureMap(object, 'metadata').set('managedFields', managedFields);
  },
});
