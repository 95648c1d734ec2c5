import { addNote } from '../../../kubernetes/call-notes.js';
import { listAt, stringAt, type ValueMap, valueAt } from '../../../kubernetes/value.js';
import { structuralSchemaOf } from '../../objects/custom/structural-schema.js';
import { hasRules } from '../custom/rule-loader.js';
import type { Refinement, StrategyContext } from '../strategy.js';
import { definitionErrors } from '../validation/definitions/definition.js';

/** CustomResourceDefinitions. Source: apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go. */
export const customResourceDefinition: Refinement = base => ({
  ...base,
  validate: (object, context) => {
    noteCosts(object, context);
    return [...base.validate(object, context), ...definitionErrors(object, undefined)];
  },
  validateUpdate: (object, old, context) => {
    noteCosts(object, context);
    return [...base.validateUpdate(object, old, context), ...definitionErrors(object, old)];
  },
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

function noteCosts(definition: ValueMap, { record }: StrategyContext): void {
  const versions = listAt(definition, 'spec', 'versions').map(version => structuralSchemaOf(definition, stringAt(version, 'name')));
  if (!versions.some(hasRules)) return;
  addNote(
    record,
    'what rules (x-kubernetes-validations) may cost is not estimated: the API server refuses definitions whose rules may cost too much',
  );
}

/** The status, with the versions that were stored, belongs to the server. */
function keepStoredVersions(object: ValueMap, old: ValueMap): void {
  if (stringAt(object, 'kind') !== '' && listAt(old, 'status', 'storedVersions').length > 0) {
    const status = old.get('status');
    if (status !== undefined) object.set('status', status);
  }
}
