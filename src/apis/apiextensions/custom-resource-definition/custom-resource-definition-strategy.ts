import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { listAt, stringAt, type ValueMap, valueAt } from '../../../go/value.js';
import { definitionErrors } from './validation/definition.js';
import { formatWarnings } from './validation/format-warnings.js';

/** CustomResourceDefinitions. Source: apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go. */
export const customResourceDefinition: Refinement = base => ({
  ...base,
  validate: (object, context) => [...base.validate(object, context), ...definitionErrors(object, undefined)],
  validateUpdate: (object, old, context) => [...base.validateUpdate(object, old, context), ...definitionErrors(object, old)],
  warningsOnCreate: definition => formatWarnings(definition),
  warningsOnUpdate: (definition, old, context) => (context.subresource === '' ? formatWarnings(definition, old) : []),
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    // The status belongs to the server: at first it only has the stored version.
    const stored = listAt(object, 'spec', 'versions').find(v => valueAt(v, 'storage') === true);
    object.set('status', stored === undefined ? new Map() : new Map([['storedVersions', [stringAt(stored, 'name')]]]));
  },
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource === '') keepStoredVersions(object, old);
  },
});

/** Keeps the status with the stored versions, which belongs to the server. */
function keepStoredVersions(object: ValueMap, old: ValueMap): void {
  if (stringAt(object, 'kind') !== '' && listAt(old, 'status', 'storedVersions').length > 0) {
    const status = old.get('status');
    if (status !== undefined) object.set('status', status);
  }
}
