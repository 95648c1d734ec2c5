import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { listAt, stringAt, type ValueMap, valueAt } from '../../../go/value.js';
import { formatWarnings } from './unrecognized-formats.js';
import { definitionErrors } from './validation/definition.js';

/** CustomResourceDefinitions. Source: apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go. */
export const customResourceDefinition: Refinement = base => ({
  ...base,
  warningsOnCreate: object => formatWarnings(object, undefined),
  warningsOnUpdate: (object, old, context) => (context.subresource === '' ? formatWarnings(object, old) : []),
  validate: (object, context) => [...base.validate(object, context), ...definitionErrors(object, undefined)],
  validateUpdate: (object, old, context) => [...base.validateUpdate(object, old, context), ...definitionErrors(object, old)],
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    // The status is the server's: at first it only says what is stored.
    const stored = listAt(object, 'spec', 'versions').filter(v => valueAt(v, 'storage') === true);
    object.set('status', new Map([['storedVersions', stored.map(v => stringAt(v, 'name'))]]));
  },
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource === '') keepStoredVersions(object, old);
  },
});

/** The status, with the versions that were stored, belongs to the server. */
function keepStoredVersions(object: ValueMap, old: ValueMap): void {
  if (stringAt(object, 'kind') !== '' && listAt(old, 'status', 'storedVersions').length > 0) {
    const status = old.get('status');
    if (status !== undefined) object.set('status', status);
  }
}
